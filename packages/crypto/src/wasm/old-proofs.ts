import { randomBytes } from 'node:crypto';
import type { BorromeanProof, BulletproofProof, MlsagProof, RingSignatureProof } from '../types.ts';
import type { InputWriter } from './input-writer.ts';
import type { CryptoExports } from './instance.ts';
import { hasRangeProofSizes, isAmount, isElement, writeWeight } from './shapes.ts';

const BORROMEAN_BITS = 64;

/** Verifies the proofs that only old transactions have. Sizes are checked here, everything else in WebAssembly. */
export class OldProofVerifier {
  readonly #wasm: CryptoExports;
  readonly #input: InputWriter;

  constructor(wasm: CryptoExports, input: InputWriter) {
    this.#wasm = wasm;
    this.#input = input;
  }

  verifyRingSignature({ message, keyImage, ring, signatures }: RingSignatureProof): boolean {
    const fits =
      isElement(message) &&
      isElement(keyImage) &&
      ring.every(isElement) &&
      signatures.length === ring.length &&
      signatures.every((signature) => signature.length === 64);
    if (!fits) return false;
    const input = this.#input;
    const start = input.begin(this.#wasm.ringSignatureSize(ring.length));
    input.element(keyImage);
    input.elements(signatures);
    input.elements(ring);
    input.element(message);
    return this.#wasm.verifyRingSignature(start, ring.length) === 1;
  }

  verifyMlsag(proof: MlsagProof): boolean {
    const { message, ring, keyImages, offsets, fee, ss, cc } = proof;
    const inputs = keyImages.length;
    const fits =
      ring.length >= 2 &&
      inputs >= 1 &&
      ss.length === ring.length &&
      ss.every((scalars) => scalars.length === inputs + 1 && scalars.every(isElement)) &&
      ring.every((column) => column.length === inputs) &&
      ring.flat().every(({ key, commitment }) => isElement(key) && isElement(commitment)) &&
      [message, cc, ...keyImages, ...offsets].every(isElement) &&
      isAmount(fee);
    if (!fits) return false;
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

  verifyBorromean({ commitment, ee, s0, s1, Ci }: BorromeanProof): boolean {
    const lists = [s0, s1, Ci];
    if (!isElement(commitment) || !isElement(ee)) return false;
    if (!lists.every((list) => list.length === BORROMEAN_BITS && list.every(isElement))) {
      return false;
    }
    const start = this.#input.begin(this.#wasm.BORROMEAN_SIZE.value);
    this.#input.elements([commitment, ee]);
    for (const list of lists) this.#input.elements(list);
    return this.#wasm.verifyBorromean(start) === 1;
  }

  verifyBulletproofs(batch: readonly BulletproofProof[]): boolean {
    const fits = ({ A, S, T1, T2, taux, mu, a, b, t, ...lists }: BulletproofProof) =>
      [A, S, T1, T2, taux, mu, a, b, t].every(isElement) && hasRangeProofSizes(lists);
    if (!batch.every(fits)) return false;
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
      writeWeight(input, random.subarray(64 * i, 64 * i + 32));
      writeWeight(input, random.subarray(64 * i + 32, 64 * i + 64));
      input.elements([taux, mu, t, a, b, A, S, T1, T2]);
      input.elements(commitments);
      for (const [j, left] of L.entries()) input.elements([left, R[j] as Uint8Array]);
    }
    return this.#wasm.verifyBulletproof(start, proofs.length) === 1;
  }
}
