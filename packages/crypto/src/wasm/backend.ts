import { abytes } from '@noble/hashes/utils.js';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  CryptoBackend,
  MlsagProof,
  OutputCandidate,
  OutputMatch,
  PointSum,
  RingSignatureProof,
} from '../types.ts';
import { addMultiples, findSpendKeys, keyDerivations, spendKeys } from '../ownership/compute.ts';
import type { OutputBatch } from '../output-batch.ts';
import { hasBulletproofPlusShape, hasClsagShape, isAmount, isElement } from '../proofs/shapes.ts';
import { createInstance, type CryptoExports } from './instance.ts';
import { randomBytes } from '../random-bytes.ts';
import { InputWriter } from './input-writer.ts';
import { OldProofVerifier } from './old-proofs.ts';
import { WasmOwnershipEngine } from './ownership-engine.ts';

/** Data is hashed in pieces of this many bytes, so that the input area stays small. */
const HASH_PIECE = 65536;
const STATE_SIZE = 200;

/** The backend in WebAssembly. Its memory grows to the need of the largest single check and never shrinks. */
class WasmBackend implements CryptoBackend {
  readonly name = 'wasm';
  readonly #wasm: CryptoExports;
  readonly #input: InputWriter;
  readonly #oldProofs: OldProofVerifier;
  readonly #ownership: WasmOwnershipEngine;

  constructor(wasm: CryptoExports) {
    this.#wasm = wasm;
    this.#input = new InputWriter(wasm);
    this.#oldProofs = new OldProofVerifier(wasm, this.#input);
    this.#ownership = new WasmOwnershipEngine(wasm, this.#input);
  }

  keccak256(data: Uint8Array): Uint8Array {
    abytes(data, undefined, 'data');
    const input = this.#input;
    if (data.length > HASH_PIECE) return this.#hashInPieces(data);
    const start = input.begin(data.length + 32);
    input.element(data);
    this.#wasm.keccak256(start, start, data.length);
    return input.read(start, 32);
  }

  /** Hashes with the state at the start of the input area and the data after it. */
  #hashInPieces(data: Uint8Array): Uint8Array {
    const input = this.#input;
    const state = input.begin(STATE_SIZE + HASH_PIECE);
    const piece = state + STATE_SIZE;
    input.element(new Uint8Array(STATE_SIZE));
    let done = 0;
    while (data.length - done > HASH_PIECE) {
      input.seek(piece);
      input.element(data.subarray(done, done + HASH_PIECE));
      done += this.#wasm.absorb(state, piece, HASH_PIECE);
    }
    input.seek(piece);
    input.element(data.subarray(done));
    this.#wasm.finish(state, state, piece, data.length - done);
    return input.read(state, 32);
  }

  hashToPoint(data: Uint8Array): Uint8Array {
    const start = this.#place(this.keccak256(data));
    this.#wasm.hashToPoint(start, start);
    return this.#input.read(start, 32);
  }

  /** Copies an array into the input area and returns its address. */
  #place(bytes: Uint8Array): number {
    const start = this.#input.begin(bytes.length);
    this.#input.element(bytes);
    return start;
  }

  isPoint(bytes: Uint8Array): boolean {
    return isElement(bytes) && this.#wasm.isPoint(this.#place(bytes)) === 1;
  }

  isValidKeyImage(keyImage: Uint8Array): boolean {
    return isElement(keyImage) && this.#wasm.isValidKeyImage(this.#place(keyImage)) === 1;
  }

  commitToAmount(amount: bigint): Uint8Array {
    if (!isAmount(amount)) throw new RangeError('an amount is an unsigned 64-bit integer');
    const start = this.#input.begin(32);
    this.#wasm.commitToAmount(start, amount);
    return this.#input.read(start, 32);
  }

  verifyBalance({ inputs, outputs, fee }: BalanceStatement): boolean {
    if (!isAmount(fee) || !inputs.every(isElement) || !outputs.every(isElement)) return false;
    const start = this.#input.begin(32 * (inputs.length + outputs.length));
    this.#input.elements(inputs);
    this.#input.elements(outputs);
    return this.#wasm.verifyBalance(start, inputs.length, outputs.length, fee) === 1;
  }

  verifyClsag(batch: readonly ClsagProof[]): boolean[] {
    return batch.map((proof) => hasClsagShape(proof) && this.#verifyOneClsag(proof));
  }

  #verifyOneClsag(proof: ClsagProof): boolean {
    const { message, ring, pseudoOut, keyImage, s, c1, D } = proof;
    const input = this.#input;
    const start = input.begin(this.#wasm.clsagSize(ring.length));
    input.elements([c1, message, keyImage, D, pseudoOut]);
    input.elements(s);
    input.skip(32);
    for (const member of ring) input.element(member.key);
    for (const member of ring) input.element(member.commitment);
    return this.#wasm.verifyClsag(start, ring.length) === 1;
  }

  verifyBulletproofPlus(batch: readonly BulletproofPlusProof[]): boolean {
    if (!batch.every(hasBulletproofPlusShape)) return false;
    const step = this.#wasm.MAX_PROOFS.value;
    for (let i = 0; i < batch.length; i += step) {
      if (!this.#verifyRangeProofs(batch.slice(i, i + step))) return false;
    }
    return true;
  }

  #verifyRangeProofs(proofs: readonly BulletproofPlusProof[]): boolean {
    const input = this.#input;
    const sizes = proofs.map(({ commitments, L }) =>
      this.#wasm.bulletproofPlusSize(commitments.length, L.length),
    );
    const start = input.begin(sizes.reduce((sum, size) => sum + size, 0));
    const random = randomBytes(32 * proofs.length);
    for (const [i, { commitments, A, A1, B, r1, s1, d1, L, R }] of proofs.entries()) {
      input.sizes(commitments.length, L.length);
      input.weight(random.subarray(32 * i, 32 * i + 32));
      input.elements([r1, s1, d1, A, A1, B]);
      input.elements(commitments);
      for (const [j, left] of L.entries()) input.elements([left, R[j] as Uint8Array]);
    }
    return this.#wasm.verifyBulletproofPlus(start, proofs.length) === 1;
  }

  verifyRingSignature(batch: readonly RingSignatureProof[]): boolean[] {
    return batch.map((proof) => this.#oldProofs.verifyRingSignature(proof));
  }

  verifyMlsag(batch: readonly MlsagProof[]): boolean[] {
    return batch.map((proof) => this.#oldProofs.verifyMlsag(proof));
  }

  verifyBorromean(batch: readonly BorromeanProof[]): boolean[] {
    return batch.map((proof) => this.#oldProofs.verifyBorromean(proof));
  }

  verifyBulletproof(batch: readonly BulletproofProof[]): boolean {
    return this.#oldProofs.verifyBulletproofs(batch);
  }

  keyDerivations(
    secret: Uint8Array,
    publicKeys: readonly Uint8Array[],
  ): (Uint8Array | undefined)[] {
    return keyDerivations(this.#ownership, secret, publicKeys);
  }

  spendKeys(candidates: readonly OutputCandidate[]): (Uint8Array | undefined)[] {
    return spendKeys(this.#ownership, candidates);
  }

  findSpendKeys(secret: Uint8Array, batch: OutputBatch): OutputMatch[] {
    return findSpendKeys(this.#ownership, secret, batch);
  }

  addMultiples(sums: readonly PointSum[]): (Uint8Array | undefined)[] {
    return addMultiples(this.#ownership, sums);
  }
}

/**
 * Returns the WebAssembly backend. It holds tables and scratch memory of its own, so keep one for each thread.
 *
 * @param bytes of `@monero-node/crypto/crypto.wasm`, for programs that fetch it; by default those in the package
 * Throws TypeError where there is no WebAssembly, and what the engine throws where a page's policy forbids to compile it.
 */
export function createWasmBackend(bytes?: Uint8Array): CryptoBackend {
  return new WasmBackend(createInstance(bytes));
}

/** Returns the WebAssembly backend, or undefined where WebAssembly is missing or forbidden. */
export function loadWasmBackend(): CryptoBackend | undefined {
  try {
    return createWasmBackend();
  } catch {
    return undefined;
  }
}
