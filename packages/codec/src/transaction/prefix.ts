import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { assertBytes } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { hasFcmp, type Formats } from '../formats.ts';
import type { Transaction, TxInput, TxOutput, TxTarget } from './types.ts';

/** The part of a transaction before its signatures. Source: src/cryptonote_basic/cryptonote_basic.h. */
export type TransactionPrefix = Pick<
  Transaction,
  'version' | 'unlockTime' | 'inputs' | 'outputs' | 'extra'
>;

export const INPUT_TAG = { gen: 0xff, script: 0x00, scripthash: 0x01, key: 0x02 } as const;
export const TARGET_TAG = {
  script: 0x00,
  scripthash: 0x01,
  /** Has the tag of a script hash, which it replaced. */
  carrot: 0x01,
  key: 0x02,
  'tagged-key': 0x03,
} as const;

/** Fewest bytes of an input (tag, height) and of an output (amount, tag, two counts). */
export const MIN_INPUT_SIZE = 2;
const MIN_OUTPUT_SIZE = 4;

/** Bytes of the view tag and of the encrypted Janus anchor of a Carrot output. */
export const CARROT_VIEW_TAG_SIZE = 3;
export const CARROT_ANCHOR_SIZE = 16;

/**
 * All inputs together have fewer ring members than this: 1,000,000 bytes / 32. monerod checks it after parsing,
 * except for miner transactions, which can have no ring. It is checked while reading here, so that a blob of a
 * million offsets costs little.
 * Source: max_total_key_offsets in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export const MAX_RING_MEMBERS = 31250;

/** Reads a prefix. Throws DecodeError when it is malformed, has a version other than 1 and 2 or too many ring members. */
export function readPrefix(reader: ByteReader, formats: Formats): TransactionPrefix {
  const version = readVersion(reader);
  const unlockTime = reader.varint();
  const inputs = readInputs(reader);
  return { version, unlockTime, inputs, ...readOutputsAndExtra(reader, formats) };
}

/** Reads the version. Throws DecodeError unless it is 1 or 2. */
export function readVersion(reader: ByteReader): 1 | 2 {
  const start = reader.offset;
  const version = reader.varint();
  if (version === 1n) return 1;
  if (version === 2n) return 2;
  throw new DecodeError(`transaction version ${version}`, start);
}

/** Reads the end of a prefix. Throws DecodeError when it is malformed. */
export function readOutputsAndExtra(
  reader: ByteReader,
  formats: Formats,
): Pick<TransactionPrefix, 'outputs' | 'extra'> {
  const outputs = readList(reader, MIN_OUTPUT_SIZE, () => readOutput(reader, formats));
  return { outputs, extra: readByteVector(reader) };
}

/** Writes a prefix. Throws RangeError for a key that does not have 32 bytes, and for other parts of a wrong size. */
export function writePrefix(writer: ByteWriter, prefix: TransactionPrefix): void {
  writer.varint(prefix.version).varint(prefix.unlockTime);
  writer.varint(prefix.inputs.length);
  for (const input of prefix.inputs) writeInput(writer, input);
  writer.varint(prefix.outputs.length);
  for (const output of prefix.outputs) writeOutput(writer, output);
  writeByteVector(writer, prefix.extra);
}

/** Reads the inputs. One of type gen must be alone, as monerod 0.18.5.3 demands; no valid chain has others. */
function readInputs(reader: ByteReader): TxInput[] {
  const start = reader.offset;
  let membersLeft = MAX_RING_MEMBERS - 1;
  const inputs = readList(reader, MIN_INPUT_SIZE, () => {
    const input = readInput(reader, membersLeft);
    if (input.kind === 'key') membersLeft -= input.keyOffsets.length;
    return input;
  });
  if (inputs.length > 1 && inputs.some(({ kind }) => kind === 'gen')) {
    throw new DecodeError('an input of type gen beside others', start);
  }
  return inputs;
}

/** Reads an input. Throws DecodeError when it is malformed or has more than `maxMembers` ring members. */
export function readInput(reader: ByteReader, maxMembers: number): TxInput {
  const tag = reader.u8();
  switch (tag) {
    case INPUT_TAG.key:
      return {
        kind: 'key',
        amount: reader.varint(),
        keyOffsets: readOffsets(reader, maxMembers),
        keyImage: reader.bytes(32),
      };
    case INPUT_TAG.gen:
      return { kind: 'gen', height: reader.varintNumber() };
    case INPUT_TAG.script:
      return {
        kind: 'script',
        prev: reader.bytes(32),
        prevout: reader.varint(),
        sigset: readByteVector(reader),
      };
    case INPUT_TAG.scripthash:
      return {
        kind: 'scripthash',
        prev: reader.bytes(32),
        prevout: reader.varint(),
        keys: readKeyVector(reader),
        script: readByteVector(reader),
        sigset: readByteVector(reader),
      };
    default:
      throw new DecodeError(`unknown input tag ${tag}`, reader.offset - 1);
  }
}

function readOffsets(reader: ByteReader, maxMembers: number): bigint[] {
  const start = reader.offset;
  const count = reader.count(1);
  if (count > maxMembers) throw new DecodeError('too many ring members', start);
  const offsets: bigint[] = [];
  for (let i = 0; i < count; i++) offsets.push(reader.varint());
  return offsets;
}

function writeInput(writer: ByteWriter, input: TxInput): void {
  writer.u8(INPUT_TAG[input.kind]);
  switch (input.kind) {
    case 'gen':
      writer.varint(input.height);
      return;
    case 'key':
      writer.varint(input.amount).varint(input.keyOffsets.length);
      for (const offset of input.keyOffsets) writer.varint(offset);
      writer.key(input.keyImage);
      return;
    case 'script':
      writer.key(input.prev).varint(input.prevout);
      writeByteVector(writer, input.sigset);
      return;
    case 'scripthash':
      writer.key(input.prev).varint(input.prevout);
      writeKeyVector(writer, input.keys);
      writeByteVector(writer, input.script);
      writeByteVector(writer, input.sigset);
      return;
  }
}

function readOutput(reader: ByteReader, formats: Formats): TxOutput {
  return { amount: reader.varint(), target: readTarget(reader, formats) };
}

function readTarget(reader: ByteReader, formats: Formats): TxTarget {
  const tag = reader.u8();
  switch (tag) {
    case TARGET_TAG['tagged-key']:
      return { kind: 'tagged-key', key: reader.bytes(32), viewTag: reader.u8() };
    case TARGET_TAG.key:
      return { kind: 'key', key: reader.bytes(32) };
    case TARGET_TAG.script:
      return { kind: 'script', keys: readKeyVector(reader), script: readByteVector(reader) };
    case TARGET_TAG.carrot:
      return hasFcmp(formats)
        ? readCarrotTarget(reader)
        : { kind: 'scripthash', hash: reader.bytes(32) };
    default:
      throw new DecodeError(`unknown output target tag ${tag}`, reader.offset - 1);
  }
}

function readCarrotTarget(reader: ByteReader): TxTarget {
  return {
    kind: 'carrot',
    key: reader.bytes(32),
    viewTag: reader.bytes(CARROT_VIEW_TAG_SIZE),
    encryptedJanusAnchor: reader.bytes(CARROT_ANCHOR_SIZE),
  };
}

function writeOutput(writer: ByteWriter, output: TxOutput): void {
  const { target } = output;
  writer.varint(output.amount).u8(TARGET_TAG[target.kind]);
  switch (target.kind) {
    case 'key':
      writer.key(target.key);
      return;
    case 'tagged-key':
      writer.key(target.key).u8(target.viewTag);
      return;
    case 'carrot':
      assertBytes(target.viewTag, 'viewTag', CARROT_VIEW_TAG_SIZE);
      assertBytes(target.encryptedJanusAnchor, 'encryptedJanusAnchor', CARROT_ANCHOR_SIZE);
      writer.key(target.key).bytes(target.viewTag).bytes(target.encryptedJanusAnchor);
      return;
    case 'script':
      writeKeyVector(writer, target.keys);
      writeByteVector(writer, target.script);
      return;
    case 'scripthash':
      writer.key(target.hash);
      return;
  }
}

/** Reads a counted list. The count is checked against the rest of the input before anything is allocated. */
function readList<T>(
  reader: ByteReader,
  minElementSize: number,
  readElement: (reader: ByteReader) => T,
): T[] {
  const count = reader.count(minElementSize);
  const list: T[] = [];
  for (let i = 0; i < count; i++) list.push(readElement(reader));
  return list;
}

function readKeyVector(reader: ByteReader): Uint8Array[] {
  return reader.keys(reader.count(32));
}

function writeKeyVector(writer: ByteWriter, keys: readonly Uint8Array[]): void {
  writer.varint(keys.length).keys(keys);
}

function readByteVector(reader: ByteReader): Uint8Array {
  return reader.bytes(reader.count(1));
}

function writeByteVector(writer: ByteWriter, bytes: Uint8Array): void {
  assertBytes(bytes, 'bytes');
  writer.varint(bytes.length).bytes(bytes);
}
