import type { BorromeanProof, BulletproofProof, MlsagProof, RingSignatureProof } from '../types.ts';
import { Packer } from '../packer.ts';

const BORROMEAN_BITS = 64;

/** Returns a packer with room for all proofs. */
function packerFor<T>(proofs: readonly T[], sizeOf: (proof: T) => number): Packer {
  return new Packer(proofs.reduce((sum, proof) => sum + sizeOf(proof), 0));
}

/**
 * Returns the packed signatures, whose shapes must be right (proofs/shapes.ts): for a ring of n, a 32-bit n
 * and 2 + 3n elements of 32 bytes.
 */
export function packRingSignatures(proofs: readonly RingSignatureProof[]): Uint8Array {
  const packer = packerFor(proofs, ({ ring }) => 4 + 32 * (2 + 3 * ring.length));
  for (const { message, keyImage, ring, signatures } of proofs) {
    packer.number(ring.length);
    packer.elements([message, keyImage]);
    packer.elements(ring);
    for (const signature of signatures) {
      packer.element(signature.subarray(0, 32));
      packer.element(signature.subarray(32));
    }
  }
  return packer.bytes;
}

function mlsagSize({ ring, keyImages, offsets }: MlsagProof): number {
  const inputs = keyImages.length;
  return 5 * 4 + 32 * (2 + inputs + offsets.length + ring.length * (3 * inputs + 1));
}

/**
 * Returns the packed signatures, whose shapes must be right (proofs/shapes.ts): for each, five 32-bit numbers
 * (sizes and the fee in atomic units, two words) and its elements of 32 bytes.
 */
export function packMlsags(proofs: readonly MlsagProof[]): Uint8Array {
  const packer = packerFor(proofs, mlsagSize);
  for (const { message, ring, keyImages, offsets, fee, ss, cc } of proofs) {
    for (const count of [ring.length, keyImages.length, offsets.length]) packer.number(count);
    packer.number(Number(fee & 0xffff_ffffn));
    packer.number(Number(fee >> 32n));
    packer.elements([message, cc]);
    packer.elements(keyImages);
    packer.elements(offsets);
    for (const { key } of ring.flat()) packer.element(key);
    for (const { commitment } of ring.flat()) packer.element(commitment);
    for (const scalars of ss) packer.elements(scalars);
  }
  return packer.bytes;
}

/** Returns the packed proofs, whose shapes must be right: 194 elements of 32 bytes each. */
export function packBorromeans(proofs: readonly BorromeanProof[]): Uint8Array {
  const packer = packerFor(proofs, () => 32 * (2 + 3 * BORROMEAN_BITS));
  for (const { commitment, ee, s0, s1, Ci } of proofs) {
    packer.elements([commitment, ee]);
    for (const list of [s0, s1, Ci]) packer.elements(list);
  }
  return packer.bytes;
}

/** Returns the packed proofs, whose shapes must be right: two 32-bit sizes each, then elements of 32 bytes. */
export function packBulletproofs(proofs: readonly BulletproofProof[]): Uint8Array {
  const packer = packerFor(
    proofs,
    ({ commitments, L, R }) => 8 + 32 * (9 + commitments.length + L.length + R.length),
  );
  for (const { commitments, A, S, T1, T2, taux, mu, a, b, t, L, R } of proofs) {
    packer.number(commitments.length);
    packer.number(L.length);
    packer.elements([A, S, T1, T2, taux, mu, a, b, t]);
    for (const list of [commitments, L, R]) packer.elements(list);
  }
  return packer.bytes;
}
