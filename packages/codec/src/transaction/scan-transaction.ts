import type { ByteReader } from '../byte-reader.ts';
import { DecodeError } from '../errors.ts';
import { hasFcmp, type Formats } from '../formats.ts';
import { AT, FLAGS, HEAD, WORDS_PER_INPUT, WORDS_PER_OUTPUT, type WordList } from './flat-parts.ts';
import {
  CARROT_ANCHOR_SIZE,
  CARROT_VIEW_TAG_SIZE,
  INPUT_TAG,
  MAX_RING_MEMBERS,
  TARGET_TAG,
  readVersion,
} from './prefix.ts';
import { RANGE_SIG_SIZE } from './proofs.ts';
import {
  FCMP_TYPE,
  MAX_ROUNDS,
  MIN_ROUNDS,
  fcmpProofSize,
  hasShortAmounts,
  highestRctType,
} from './ringct.ts';
import type { RctType } from './types.ts';

/** Fewest bytes of an input of type key (tag, amount, number of ring members, key image) and of an output with a key. */
const KEY_INPUT_SIZE = 35;
const KEY_OUTPUT_SIZE = 34;

/** A transaction is not of a common form, so that it must be decoded into objects. */
class Uncommon extends Error {}

/**
 * Reads a transaction of the common forms without making objects of its parts, and adds its numbers to `list`. It accepts nothing
 * that `readTransaction` and `checkExpandable` refuse.
 *
 * Returns whether it has. When it has not, the transaction may still be well-formed: one with scripts, with proofs in a miner
 * transaction, with Carrot outputs but of another RingCT type than 7, or with a varint cut off by the end of the input. Nothing is read and added then.
 */
export function scanTransaction(
  reader: ByteReader,
  form: 'full' | 'base',
  formats: Formats,
  list: WordList,
): boolean {
  const [start, length] = [reader.offset, list.length];
  const sawTruncatedVarint = reader.sawTruncatedVarint;
  try {
    scan(reader, form, formats, list);
    if (!reader.sawTruncatedVarint) return true;
  } catch (error) {
    if (!(error instanceof DecodeError) && !(error instanceof Uncommon)) throw error;
  }
  reader.offset = start;
  reader.sawTruncatedVarint = sawTruncatedVarint;
  list.length = length;
  return false;
}

/** Where a transaction begins in the input, its head in the words, and the formats to read. */
interface Place {
  readonly start: number;
  readonly head: number;
  readonly formats: Formats;
}

function scan(reader: ByteReader, form: 'full' | 'base', formats: Formats, list: WordList): void {
  const start = reader.offset;
  const head = list.take(HEAD);
  list.words.fill(0, head, head + HEAD);
  const version = readVersion(reader);
  reader.varintInto(list.words, head + AT.unlockTime);
  const place = { start, head, formats };
  const members = scanInputs(reader, version, place, list);
  scanOutputs(reader, place, list);
  const { words } = list;
  const extraSize = reader.count(1);
  words[head + AT.extraSize] = extraSize;
  reader.skip(extraSize);
  const prefixEnd = reader.offset;
  words[head + AT.prefixSize] = prefixEnd - start;
  words[head + AT.unprunedSize] = prefixEnd - start;
  addFlag(words, head, version);
  if (form === 'base') addFlag(words, head, FLAGS.base);
  if (version === 2) scanRct(reader, form, place, words);
  else if (hasCarrot(words, head)) throw new Uncommon();
  else if (form === 'full') reader.skip(64 * members);
  else if (members > 0) addFlag(words, head, FLAGS.pruned);
  words[head + AT.size] = reader.offset - start;
}

/** Whether an output has the tag that means another kind in other formats. */
function hasCarrot(words: Uint32Array, head: number): boolean {
  return ((words[head + AT.kind] as number) & FLAGS.carrot) !== 0;
}

function addFlag(words: Uint32Array, head: number, flag: number): void {
  words[head + AT.kind] = (words[head + AT.kind] as number) | flag;
}

/** Reads the inputs: one of type gen, or any number of type key. Returns the number of ring members of all. */
function scanInputs(
  reader: ByteReader,
  version: 1 | 2,
  { start, head }: Place,
  list: WordList,
): number {
  const count = reader.count(2);
  list.words[head + AT.inputs] = count;
  const tagAt = reader.offset;
  if (count === 1 && reader.u8() === INPUT_TAG.gen) {
    reader.varintNumber();
    addFlag(list.words, head, FLAGS.coinbase);
    return 0;
  }
  reader.offset = tagAt;
  if (count * KEY_INPUT_SIZE > reader.remaining) throw new Uncommon();
  const first = list.take(WORDS_PER_INPUT * count);
  const { words } = list;
  let [members, amount] = [0, 0n];
  for (let i = 0; i < count; i++) {
    if (reader.u8() !== INPUT_TAG.key) throw new Uncommon();
    if (version === 1) amount += reader.varint();
    else reader.passVarints(1);
    const ring = reader.count(1);
    members += ring;
    if (members >= MAX_RING_MEMBERS) throw new Uncommon();
    if (i === 0) words[head + AT.firstRing] = ring;
    reader.passVarints(ring);
    words[first + WORDS_PER_INPUT * i] = reader.offset - start;
    words[first + WORDS_PER_INPUT * i + 1] = ring;
    reader.skip(32);
  }
  if (version === 1) setU64(words, head + AT.inputAmount, BigInt.asUintN(64, amount));
  return members;
}

function setU64(words: Uint32Array, at: number, value: bigint): void {
  words[at] = Number(value & 0xffff_ffffn);
  words[at + 1] = Number(value >> 32n);
}

function scanOutputs(reader: ByteReader, { start, head, formats }: Place, list: WordList): void {
  const count = reader.count(KEY_OUTPUT_SIZE);
  const first = list.take(WORDS_PER_OUTPUT * count);
  const { words } = list;
  words[head + AT.outputs] = count;
  for (let i = 0; i < count; i++) {
    const at = first + WORDS_PER_OUTPUT * i;
    reader.varintInto(words, at + 1);
    const tag = reader.u8();
    words[at] = reader.offset - start;
    reader.skip(32 + sizeAfterKey(tag));
    if (tag === TARGET_TAG.carrot) {
      if (!hasFcmp(formats)) throw new Uncommon();
      addFlag(words, head, FLAGS.carrot);
    }
  }
}

/** Returns the bytes of an output that follow its key. */
function sizeAfterKey(tag: number): number {
  switch (tag) {
    case TARGET_TAG.key:
      return 0;
    case TARGET_TAG['tagged-key']:
      return 1;
    case TARGET_TAG.carrot:
      return CARROT_VIEW_TAG_SIZE + CARROT_ANCHOR_SIZE;
    default:
      throw new Uncommon();
  }
}

function scanRct(
  reader: ByteReader,
  form: 'full' | 'base',
  { start, head, formats }: Place,
  words: Uint32Array,
): void {
  const inputs = words[head + AT.inputs] as number;
  const outputs = words[head + AT.outputs] as number;
  const type = reader.u8();
  if (inputs === 0 || type > highestRctType(formats)) throw new Uncommon();
  if (hasCarrot(words, head) && type !== FCMP_TYPE) throw new Uncommon();
  addFlag(words, head, type << 8);
  if (type !== 0) {
    if (((words[head + AT.kind] as number) & FLAGS.coinbase) !== 0) throw new Uncommon();
    reader.varintInto(words, head + AT.fee);
    if (type === 2) reader.skip(32 * inputs);
    reader.skip((hasShortAmounts(type as RctType) ? 8 : 64) * outputs);
    words[head + AT.commitments] = reader.offset - start;
    reader.skip(32 * outputs);
  }
  words[head + AT.unprunedSize] = reader.offset - start;
  if (type === 0) return;
  if (form === 'base') addFlag(words, head, FLAGS.pruned);
  else
    words[head + AT.rounds] = scanPrunable(reader, type, {
      inputs,
      outputs,
      ring: words[head + AT.firstRing] as number,
    });
}

/** Reads the prunable part and returns the rounds of its range proof; 0 for Borromean range proofs. */
function scanPrunable(
  reader: ByteReader,
  type: number,
  { inputs, outputs, ring }: { inputs: number; outputs: number; ring: number },
): number {
  if (type === FCMP_TYPE) return scanFcmpPrunable(reader, inputs, outputs);
  if (ring === 0) throw new Uncommon();
  let rounds = 0;
  if (type >= 3) rounds = scanProof(reader, type, outputs);
  else reader.skip(RANGE_SIG_SIZE * outputs);
  if (type >= 5) reader.skip(32 * inputs * (ring + 2));
  else if (type === 1) reader.skip(32 * (ring * (inputs + 1) + 1));
  else reader.skip(32 * inputs * (ring * 2 + 1));
  if (type >= 3) reader.skip(32 * inputs);
  return rounds;
}

/** Reads the prunable part of type 7 and returns the rounds of its range proof. */
function scanFcmpPrunable(reader: ByteReader, inputs: number, outputs: number): number {
  const rounds = scanProof(reader, FCMP_TYPE, outputs);
  reader.passVarints(1);
  reader.skip(fcmpProofSize(inputs, reader.u8(), reader.offset));
  reader.skip(32 * inputs);
  return rounds;
}

/** Reads the one range proof, which must cover all outputs. Returns its rounds. */
function scanProof(reader: ByteReader, type: number, outputs: number): number {
  const count = type === 3 ? reader.u32le() : reader.varintNumber(0xffff_ffff, 32);
  if (count !== 1) throw new Uncommon();
  reader.skip(6 * 32);
  const rounds = reader.count(32);
  reader.skip(32 * rounds);
  if (reader.count(32) !== rounds || rounds < MIN_ROUNDS || rounds > MAX_ROUNDS)
    throw new Uncommon();
  reader.skip(32 * rounds);
  if (type < 6) reader.skip(3 * 32);
  if (outputs === 0 || 2 ** (rounds - MIN_ROUNDS) < outputs) throw new Uncommon();
  return rounds;
}
