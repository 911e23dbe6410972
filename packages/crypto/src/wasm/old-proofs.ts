import { randomBytes } from '../random-bytes.ts';
import type { BorromeanProof, BulletproofProof, MlsagProof, RingSignatureProof } from '../types.ts';
import {
  hasBorromeanShape,
  hasBulletproofShape,
  hasMlsagShape,
  hasRingSignatureShape,
} from '../proofs/shapes.ts';
import type { InputWriter } from './input-writer.ts';
import type { CryptoExports } from './instance.ts';

/** Verifies the proofs that only old transactions have. Shapes are checked here, everything else in WebAssembly. */
export class OldProofVerifier {
  readonly #wasm: CryptoExports;
  readonly #input: InputWriter;

  constructor(wasm: CryptoExports, input: InputWriter) {
    this.#wasm = wasm;
    this.#input = input;
  }

  verifyRingSignature(proof: RingSignatureProof): boolean {
    if (!hasRingSignatureShape(proof)) return false;
    const { message, keyImage, ring, signatures } = proof;
    const input = this.#input;
    const start = input.begin(this.#wasm.ringSignatureSize(ring.length));
    input.element(keyImage);
    input.elements(signatures);
    input.elements(ring);
    input.element(message);
    return this.#wasm.verifyRingSignature(start, ring.length) === 1;
  }

  verifyMlsag(proof: MlsagProof): boolean {
    if (!hasMlsagShape(proof)) return false;
    const { message, ring, keyImages, offsets, fee, ss, cc } = proof;
    const inputs = keyImages.length;
    const input = this.#input;
    const start = input.begin(this.#wasm.mlsagSize(ring.length, inputs, offsets.length));
    input.element(cc);
    input.elements(keyImages);
    input.elements(offsets);
    for (const [i, column] of ring.entries()) {
      input.elements(ss[i] as Uint8Array[]);
      for (const { key } of column) input.element(key);
      for (const { commitment } of column) input.element(commitment);
    }
    input.element(message);
    return this.#wasm.verifyMlsag(start, ring.length, inputs, offsets.length, fee) === 1;
  }

  verifyBorromean(proof: BorromeanProof): boolean {
    if (!hasBorromeanShape(proof)) return false;
    const { commitment, ee, s0, s1, Ci } = proof;
    const start = this.#input.begin(this.#wasm.BORROMEAN_SIZE.value);
    this.#input.elements([commitment, ee]);
    for (const list of [s0, s1, Ci]) this.#input.elements(list);
    return this.#wasm.verifyBorromean(start) === 1;
  }

  verifyBulletproofs(batch: readonly BulletproofProof[]): boolean {
    if (!batch.every(hasBulletproofShape)) return false;
    const step = this.#wasm.MAX_PROOFS.value;
    for (let i = 0; i < batch.length; i += step) {
      if (!this.#verifyTogether(batch.slice(i, i + step))) return false;
    }
    return true;
  }

  #verifyTogether(proofs: readonly BulletproofProof[]): boolean {
    const input = this.#input;
    const sizes = proofs.map(({ commitments, L }) =>
      this.#wasm.bulletproofSize(commitments.length, L.length),
    );
    const start = input.begin(sizes.reduce((sum, size) => sum + size, 0));
    const random = randomBytes(64 * proofs.length);
    for (const [i, proof] of proofs.entries()) {
      const { commitments, L, R, taux, mu, t, a, b, A, S, T1, T2 } = proof;
      input.sizes(commitments.length, L.length);
      input.weight(random.subarray(64 * i, 64 * i + 32));
      input.weight(random.subarray(64 * i + 32, 64 * i + 64));
      input.elements([taux, mu, t, a, b, A, S, T1, T2]);
      input.elements(commitments);
      for (const [j, left] of L.entries()) input.elements([left, R[j] as Uint8Array]);
    }
    return this.#wasm.verifyBulletproof(start, proofs.length) === 1;
  }
}
