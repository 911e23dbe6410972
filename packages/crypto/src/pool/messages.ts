import type { CryptoCheck } from '../checks.ts';
import type { BalanceStatement, BulletproofPlusProof, ClsagProof } from '../types.ts';

/** From the pool to a worker. A worker has one request at a time. */
export interface WorkerRequest {
  readonly check: CryptoCheck;
}

/** From a worker to the pool: the answers to its one request. */
export interface WorkerResponse {
  readonly answers: boolean[];
}

type Copy = (bytes: Uint8Array) => Uint8Array;

function copyClsag(proof: ClsagProof, copy: Copy): ClsagProof {
  return {
    message: copy(proof.message),
    ring: proof.ring.map(({ key, commitment }) => ({
      key: copy(key),
      commitment: copy(commitment),
    })),
    pseudoOut: copy(proof.pseudoOut),
    keyImage: copy(proof.keyImage),
    s: proof.s.map(copy),
    c1: copy(proof.c1),
    D: copy(proof.D),
  };
}

function copyRangeProof(proof: BulletproofPlusProof, copy: Copy): BulletproofPlusProof {
  return {
    commitments: proof.commitments.map(copy),
    A: copy(proof.A),
    A1: copy(proof.A1),
    B: copy(proof.B),
    r1: copy(proof.r1),
    s1: copy(proof.s1),
    d1: copy(proof.d1),
    L: proof.L.map(copy),
    R: proof.R.map(copy),
  };
}

function copyBalance(statement: BalanceStatement, copy: Copy): BalanceStatement {
  return {
    inputs: statement.inputs.map(copy),
    outputs: statement.outputs.map(copy),
    fee: statement.fee,
  };
}

function copyCheck(check: CryptoCheck, copy: Copy): CryptoCheck {
  switch (check.kind) {
    case 'points':
      return { kind: check.kind, points: check.points.map(copy) };
    case 'key-images':
      return { kind: check.kind, keyImages: check.keyImages.map(copy) };
    case 'balance':
      return { kind: check.kind, statements: check.statements.map((s) => copyBalance(s, copy)) };
    case 'clsag':
      return { kind: check.kind, proofs: check.proofs.map((p) => copyClsag(p, copy)) };
    case 'bulletproof-plus':
      return { kind: check.kind, proofs: check.proofs.map((p) => copyRangeProof(p, copy)) };
  }
}

/**
 * The same check over one new buffer that holds nothing else, and that buffer, to be transferred.
 * Posting the caller's arrays as they are would clone the whole buffers behind them: a 32-byte field
 * may be a view of a message of megabytes.
 */
export function packCheck(check: CryptoCheck): { check: CryptoCheck; buffer: ArrayBuffer } {
  let size = 0;
  copyCheck(check, (bytes) => {
    size += bytes.length;
    return bytes;
  });
  const buffer = new ArrayBuffer(size);
  let offset = 0;
  const packed = copyCheck(check, (bytes) => {
    const target = new Uint8Array(buffer, offset, bytes.length);
    target.set(bytes);
    offset += bytes.length;
    return target;
  });
  return { check: packed, buffer };
}
