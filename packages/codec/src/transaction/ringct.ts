import { fcmpPlusPlusProofBytes, MAX_INPUTS, MAX_LAYERS } from './fcmp-proof-size.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { DecodeError } from '../errors.ts';
import { hasFcmp, type Formats } from '../formats.ts';
import type { EcdhInfo, FcmpProof, RctBase, RctPrunable, RctType, TxInput } from './types.ts';
import {
  RANGE_SIG_SIZE,
  readBulletproof,
  readBulletproofPlus,
  readClsag,
  readMlsag,
  readRangeSig,
  writeBulletproof,
  writeBulletproofPlus,
  writeClsag,
  writeMlsag,
  writeRangeSig,
} from './proofs.ts';

/**
 * The two parts of a RingCT signature. Their lists have no counts: the numbers of inputs, outputs and
 * ring members follow from the prefix. Source: src/ringct/rctTypes.h.
 */

/** The lengths of the lists, from the prefix. */
export interface RctShape {
  inputs: number;
  outputs: number;
  /** Ring size of the first input, which counts for all inputs; 1 when that input is not of kind `key`. */
  ring: number;
}

/** Fewest bytes of a Bulletproof+: six elements and two lists of one. */
const MIN_PROOF_SIZE = 6 * 32 + 2 * 33;

/** Bulletproofs of 2^0 … 2^4 padded amounts have 6 … 10 rounds. */
export const MIN_ROUNDS = 6;
export const MAX_ROUNDS = 10;

/** The type whose inputs have no rings, but one proof for all of them. */
export const FCMP_TYPE = 7;

/** Returns the lengths of the lists of a transaction with these inputs and that many outputs. */
export function rctShape(inputs: readonly TxInput[], outputs: number): RctShape {
  const first = inputs[0];
  const ring = first?.kind === 'key' ? first.keyOffsets.length : 1;
  return { inputs: inputs.length, outputs, ring };
}

/** Returns the highest RingCT type of these formats. */
export function highestRctType(formats: Formats): RctType {
  return hasFcmp(formats) ? FCMP_TYPE : 6;
}

/** Reads the base part. Throws DecodeError when it is malformed or has a type that these formats lack. */
export function readRctBase(reader: ByteReader, shape: RctShape, formats: Formats): RctBase {
  const typeByte = reader.u8();
  if (typeByte > highestRctType(formats))
    throw new DecodeError(`RingCT type ${typeByte}`, reader.offset - 1);
  const type = typeByte as RctType;
  if (type === 0) return { type, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
  const fee = reader.varint();
  const pseudoOuts = type === 2 ? reader.keys(shape.inputs) : [];
  const ecdhInfo = readEcdhInfo(reader, type, shape.outputs);
  const outPk = reader.keys(shape.outputs);
  return { type, fee, pseudoOuts, ecdhInfo, outPk };
}

function readEcdhInfo(reader: ByteReader, type: RctType, outputs: number): EcdhInfo[] {
  const short = hasShortAmounts(type);
  reader.need(outputs * (short ? 8 : 64));
  const list: EcdhInfo[] = [];
  for (let i = 0; i < outputs; i++) {
    list.push(
      short ? { amount: reader.bytes(8) } : { mask: reader.bytes(32), amount: reader.bytes(32) },
    );
  }
  return list;
}

/** Writes the base part. Throws RangeError for a key or amount of the wrong size. */
export function writeRctBase(writer: ByteWriter, base: RctBase): void {
  writer.u8(base.type);
  if (base.type === 0) return;
  writer.varint(base.fee);
  if (base.type === 2) writer.keys(base.pseudoOuts);
  for (const { mask, amount } of base.ecdhInfo) {
    if (hasShortAmounts(base.type)) {
      if (amount.length !== 8) throw new RangeError('8-byte amount expected');
      writer.bytes(amount);
    } else {
      if (mask === undefined) throw new RangeError('mask expected');
      writer.key(mask).key(amount);
    }
  }
  writer.keys(base.outPk);
}

/**
 * Reads the prunable part of a type other than 0. Throws DecodeError when it is malformed, when its range proofs
 * do not cover the outputs, and when the first input has no ring members although the type has rings.
 */
export function readRctPrunable(reader: ByteReader, type: RctType, shape: RctShape): RctPrunable {
  if (type === FCMP_TYPE) return readFcmpPrunable(reader, shape);
  // monerod takes the size of the signatures from the first input, and refuses one without ring members.
  if (shape.ring === 0) throw new DecodeError('first input without ring members', reader.offset);
  const parts = emptyPrunable();
  if (type === 6) {
    parts.bulletproofsPlus = readProofs(reader, type, shape.outputs, readBulletproofPlus);
  } else if (type >= 3) {
    parts.bulletproofs = readProofs(reader, type, shape.outputs, readBulletproof);
  } else {
    reader.need(shape.outputs * RANGE_SIG_SIZE);
    for (let i = 0; i < shape.outputs; i++) parts.rangeSigs.push(readRangeSig(reader));
  }
  if (type >= 5) {
    reader.need(shape.inputs * (shape.ring + 2) * 32);
    for (let i = 0; i < shape.inputs; i++) parts.clsags.push(readClsag(reader, shape.ring));
  } else {
    const count = type === 1 ? 1 : shape.inputs;
    const columns = type === 1 ? shape.inputs + 1 : 2;
    reader.need(count * (shape.ring * columns + 1) * 32);
    for (let i = 0; i < count; i++) parts.mlsags.push(readMlsag(reader, shape.ring, columns));
  }
  if (type >= 3) parts.pseudoOuts = reader.keys(shape.inputs);
  return parts;
}

/** Reads the prunable part of type 7. Throws DecodeError as readRctPrunable does. */
function readFcmpPrunable(reader: ByteReader, shape: RctShape): RctPrunable {
  const parts = emptyPrunable();
  parts.bulletproofsPlus = readProofs(reader, FCMP_TYPE, shape.outputs, readBulletproofPlus);
  parts.fcmp = readFcmpProof(reader, shape.inputs);
  parts.pseudoOuts = reader.keys(shape.inputs);
  return parts;
}

/**
 * Reads a proof for that many inputs. Its length is not stated, but follows from inputs and layers. Throws DecodeError for more inputs
 * or layers than there are proofs for, and when fewer bytes are left.
 */
function readFcmpProof(reader: ByteReader, inputs: number): FcmpProof {
  const referenceBlock = reader.varint();
  const start = reader.offset;
  const treeLayers = reader.u8();
  return {
    referenceBlock,
    treeLayers,
    proof: reader.bytes(fcmpProofSize(inputs, treeLayers, start)),
  };
}

/** Returns the bytes of a proof for these inputs and layers. Throws DecodeError, at this offset, if there is none. */
export function fcmpProofSize(inputs: number, layers: number, offset: number): number {
  if (inputs < 1 || inputs > MAX_INPUTS)
    throw new DecodeError(`proof for ${inputs} inputs`, offset);
  if (layers < 1 || layers > MAX_LAYERS) throw new DecodeError(`tree of ${layers} layers`, offset);
  return fcmpPlusPlusProofBytes(inputs, layers);
}

function writeFcmpPrunable(writer: ByteWriter, parts: RctPrunable): void {
  const { fcmp } = parts;
  if (fcmp === undefined) throw new RangeError('a transaction of type 7 needs a proof');
  writer.varint(parts.bulletproofsPlus.length);
  for (const proof of parts.bulletproofsPlus) writeBulletproofPlus(writer, proof);
  writer.varint(fcmp.referenceBlock).u8(fcmp.treeLayers).bytes(fcmp.proof).keys(parts.pseudoOuts);
}

/** Writes the prunable part. Throws RangeError for a key that does not have 32 bytes. */
export function writeRctPrunable(writer: ByteWriter, type: RctType, parts: RctPrunable): void {
  if (type === 0) return;
  if (type === FCMP_TYPE) {
    writeFcmpPrunable(writer, parts);
    return;
  }
  if (type === 6) {
    writer.varint(parts.bulletproofsPlus.length);
    for (const proof of parts.bulletproofsPlus) writeBulletproofPlus(writer, proof);
  } else if (type >= 3) {
    if (type === 3) writer.u32le(parts.bulletproofs.length);
    else writer.varint(parts.bulletproofs.length);
    for (const proof of parts.bulletproofs) writeBulletproof(writer, proof);
  } else {
    for (const sig of parts.rangeSigs) writeRangeSig(writer, sig);
  }
  if (type >= 5) for (const sig of parts.clsags) writeClsag(writer, sig);
  else for (const sig of parts.mlsags) writeMlsag(writer, sig);
  if (type >= 3) writer.keys(parts.pseudoOuts);
}

/** Returns how many amounts a proof of that many rounds covers; 0 when no proof has that many rounds. */
function maxProvenAmounts(rounds: number): number {
  return rounds < MIN_ROUNDS || rounds > MAX_ROUNDS ? 0 : 2 ** (rounds - MIN_ROUNDS);
}

/** Reads range proofs. Throws DecodeError for more proofs than outputs, and when they do not cover all outputs. */
function readProofs<T extends { L: Uint8Array[] }>(
  reader: ByteReader,
  type: RctType,
  outputs: number,
  readProof: (reader: ByteReader) => T,
): T[] {
  const start = reader.offset;
  const count = type === 3 ? reader.u32le() : reader.varintNumber(0xffff_ffff, 32);
  if (count > outputs) throw new DecodeError(`${count} range proofs, ${outputs} outputs`, start);
  reader.need(count * MIN_PROOF_SIZE);
  const proofs: T[] = [];
  let covered = 0;
  for (let i = 0; i < count; i++) {
    const proof = readProof(reader);
    proofs.push(proof);
    const amounts = maxProvenAmounts(proof.L.length);
    // In monerod one bad proof makes the sum zero, which is refused when there is an output.
    if (amounts === 0) throw new DecodeError(`range proof of ${proof.L.length} rounds`, start);
    covered += amounts;
  }
  if (covered < outputs) throw new DecodeError('range proofs do not cover all outputs', start);
  return proofs;
}

/** Returns whether amounts have 8 bytes and no mask. */
export function hasShortAmounts(type: RctType): boolean {
  return type >= 4;
}

function emptyPrunable(): RctPrunable {
  return {
    rangeSigs: [],
    bulletproofs: [],
    bulletproofsPlus: [],
    mlsags: [],
    clsags: [],
    pseudoOuts: [],
  };
}
