// src/ and dist/ are both next to dist/assembly.
import { wasmBytes } from '../../dist/assembly/crypto-wasm.js';
import type { DerivationExports } from './derivation-instance.ts';
import { instantiate } from './instantiate.ts';

/** The exports of assembly/index.ts. Addresses are numbers, predicates return 0 or 1. */
export interface CryptoExports extends DerivationExports {
  readonly MAX_PROOFS: { readonly value: number };
  setUp(): void;
  keccak256(out: number, data: number, length: number): void;
  /** Absorbs whole blocks into the 200-byte state and returns the number of bytes it took. */
  absorb(state: number, data: number, length: number): number;
  finish(out: number, state: number, data: number, length: number): void;
  hashToPoint(out: number, hash: number): void;
  isPoint(bytes: number): number;
  isValidKeyImage(bytes: number): number;
  commitToAmount(out: number, amount: bigint): void;
  verifyBalance(bytes: number, inputs: number, outputs: number, fee: bigint): number;
  clsagSize(ringSize: number): number;
  verifyClsag(proof: number, ringSize: number): number;
  bulletproofPlusSize(outputs: number, rounds: number): number;
  verifyBulletproofPlus(first: number, count: number): number;
  ringSignatureSize(ringSize: number): number;
  verifyRingSignature(proof: number, ringSize: number): number;
  mlsagSize(ringSize: number, inputs: number, offsets: number): number;
  verifyMlsag(
    proof: number,
    ringSize: number,
    inputs: number,
    offsets: number,
    fee: bigint,
  ): number;
  readonly BORROMEAN_SIZE: { readonly value: number };
  verifyBorromean(proof: number): number;
  bulletproofSize(outputs: number, rounds: number): number;
  verifyBulletproof(first: number, count: number): number;
  /** Replaces the keys of candidates by spend keys; a byte of `answers` becomes 1, or 0 where there is none. */
  spendKeys(items: number, answers: number, count: number): void;
  addMultiples(items: number, count: number): void;
}

/** Returns a new instance of the module in these bytes, with its tables made. Throws where WebAssembly is missing or forbidden. */
export function createInstance(bytes: Uint8Array = wasmBytes()): CryptoExports {
  const exports = instantiate<CryptoExports>(bytes);
  exports.setUp();
  return exports;
}
