import { Cursor, varint } from './bytes.ts';

/**
 * A decoded transaction, in which tests can change any field before they encode it again. No rule is
 * checked. Supports the kinds in the fixture: coinbases of versions 1 and 2, and RingCT type 6 (CLSAG with
 * Bulletproof+). Independent of the codec package on purpose.
 * Source of the format: monerod src/cryptonote_basic/cryptonote_basic.h, src/ringct/rctTypes.h.
 */
export interface LooseTransaction {
  version: bigint;
  unlockTime: bigint;
  inputs: LooseInput[];
  outputs: LooseOutput[];
  extra: Buffer;
  /** Absent in version 1. */
  ringct?: LooseRingct;
}

export type LooseInput =
  | { kind: 'gen'; height: bigint }
  | { kind: 'key'; amount: bigint; offsets: bigint[]; keyImage: Buffer };

export interface LooseOutput {
  amount: bigint;
  key: Buffer;
  /** Absent in a target without view tag. */
  viewTag?: number;
}

export interface LooseRingct {
  type: number;
  fee: bigint;
  /** Encrypted amounts, 8 bytes each. */
  encryptedAmounts: Buffer[];
  commitments: Buffer[];
  rangeProofs: LooseRangeProof[];
  signatures: LooseSignature[];
  pseudoOuts: Buffer[];
}

export interface LooseRangeProof {
  A: Buffer;
  A1: Buffer;
  B: Buffer;
  r1: Buffer;
  s1: Buffer;
  d1: Buffer;
  L: Buffer[];
  R: Buffer[];
}

export interface LooseSignature {
  s: Buffer[];
  c1: Buffer;
  D: Buffer;
}

const TAG = { gen: 0xff, keyInput: 0x02, keyOutput: 0x02, taggedOutput: 0x03 } as const;
export const BULLETPROOF_PLUS = 6;

function readInput(from: Cursor): LooseInput {
  const tag = from.u8();
  if (tag === TAG.gen) return { kind: 'gen', height: from.varint() };
  if (tag !== TAG.keyInput) throw new Error(`input tag ${tag}`);
  const amount = from.varint();
  const offsets = Array.from({ length: from.count() }, () => from.varint());
  return { kind: 'key', amount, offsets, keyImage: from.take(32) };
}

function readOutput(from: Cursor): LooseOutput {
  const amount = from.varint();
  const tag = from.u8();
  if (tag !== TAG.keyOutput && tag !== TAG.taggedOutput) throw new Error(`output tag ${tag}`);
  const key = from.take(32);
  return tag === TAG.taggedOutput ? { amount, key, viewTag: from.u8() } : { amount, key };
}

function readRangeProof(from: Cursor): LooseRangeProof {
  const [A, A1, B, r1, s1, d1] = from.keys(6) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  return { A, A1, B, r1, s1, d1, L: from.keys(from.count()), R: from.keys(from.count()) };
}

function readRingct(from: Cursor, inputs: LooseInput[], outputCount: number): LooseRingct {
  const type = from.u8();
  const rct: LooseRingct = {
    type,
    fee: 0n,
    encryptedAmounts: [],
    commitments: [],
    rangeProofs: [],
    signatures: [],
    pseudoOuts: [],
  };
  if (type === 0) return rct;
  if (type !== BULLETPROOF_PLUS) throw new Error(`RingCT type ${type}`);
  rct.fee = from.varint();
  rct.encryptedAmounts = Array.from({ length: outputCount }, () => from.take(8));
  rct.commitments = from.keys(outputCount);
  rct.rangeProofs = Array.from({ length: from.count() }, () => readRangeProof(from));
  const first = inputs[0];
  const ring = first?.kind === 'key' ? first.offsets.length : 0;
  rct.signatures = inputs.map(() => ({
    s: from.keys(ring),
    c1: from.take(32),
    D: from.take(32),
  }));
  rct.pseudoOuts = from.keys(inputs.length);
  return rct;
}

/** Reads a transaction and moves the cursor past it. */
export function readTransaction(from: Cursor): LooseTransaction {
  const version = from.varint();
  const unlockTime = from.varint();
  const inputs = Array.from({ length: from.count() }, () => readInput(from));
  const outputs = Array.from({ length: from.count() }, () => readOutput(from));
  const extra = from.take(from.count());
  const tx: LooseTransaction = { version, unlockTime, inputs, outputs, extra };
  if (version >= 2n) tx.ringct = readRingct(from, inputs, outputs.length);
  return tx;
}

/** Throws Error when the bytes are not exactly one transaction of a known kind. */
export function parseLoose(blob: Uint8Array): LooseTransaction {
  const from = new Cursor(blob);
  const tx = readTransaction(from);
  if (from.left > 0) throw new Error(`${from.left} bytes too many`);
  return tx;
}

function inputBytes(input: LooseInput): Buffer {
  if (input.kind === 'gen') {
    return Buffer.concat([Buffer.from([TAG.gen]), varint(input.height)]);
  }
  return Buffer.concat([
    Buffer.from([TAG.keyInput]),
    varint(input.amount),
    varint(input.offsets.length),
    ...input.offsets.map(varint),
    input.keyImage,
  ]);
}

function outputBytes(output: LooseOutput): Buffer {
  const tagged = output.viewTag !== undefined;
  return Buffer.concat([
    varint(output.amount),
    Buffer.from([tagged ? TAG.taggedOutput : TAG.keyOutput]),
    output.key,
    ...(output.viewTag === undefined ? [] : [Buffer.from([output.viewTag])]),
  ]);
}

export function prefixBytes(tx: LooseTransaction): Buffer {
  return Buffer.concat([
    varint(tx.version),
    varint(tx.unlockTime),
    varint(tx.inputs.length),
    ...tx.inputs.map(inputBytes),
    varint(tx.outputs.length),
    ...tx.outputs.map(outputBytes),
    varint(tx.extra.length),
    tx.extra,
  ]);
}

/** Encodes the base part of RingCT. */
export function baseBytes(rct: LooseRingct): Buffer {
  if (rct.type === 0) return Buffer.from([0]);
  return Buffer.concat([
    Buffer.from([rct.type]),
    varint(rct.fee),
    ...rct.encryptedAmounts,
    ...rct.commitments,
  ]);
}

export function prunableBytes(rct: LooseRingct): Buffer {
  if (rct.type === 0) return Buffer.alloc(0);
  return Buffer.concat([
    varint(rct.rangeProofs.length),
    ...rct.rangeProofs.flatMap((p) => [
      ...[p.A, p.A1, p.B, p.r1, p.s1, p.d1],
      varint(p.L.length),
      ...p.L,
      varint(p.R.length),
      ...p.R,
    ]),
    ...rct.signatures.flatMap((signature) => [...signature.s, signature.c1, signature.D]),
    ...rct.pseudoOuts,
  ]);
}

export function encodeLoose(tx: LooseTransaction): Buffer {
  const rct = tx.ringct;
  return Buffer.concat([
    prefixBytes(tx),
    ...(rct === undefined ? [] : [baseBytes(rct), prunableBytes(rct)]),
  ]);
}
