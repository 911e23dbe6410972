import type { BorromeanProof, BulletproofProof, MlsagProof, RingSignatureProof } from '../types.ts';
import { hasRangeProofLists } from './pack.ts';
import { isElement, Packer } from './packer.ts';

const SIGNATURE_SIZE = 64;
const BORROMEAN_BITS = 64;
const AMOUNT_LIMIT = 2n ** 64n;

/** A buffer that has room for all proofs. */
function packerFor<T>(proofs: readonly T[], sizeOf: (proof: T) => number): Packer {
  return new Packer(proofs.reduce((sum, proof) => sum + sizeOf(proof), 0));
}

/** True if every field has its size. */
export function isPackableRingSignature(proof: RingSignatureProof): boolean {
  const { message, keyImage, ring, signatures } = proof;
  return (
    isElement(message) &&
    isElement(keyImage) &&
    ring.every(isElement) &&
    signatures.length === ring.length &&
    signatures.every((signature) => signature.length === SIGNATURE_SIZE)
  );
}

/** Packs signatures that are packable. */
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

/** True if every field has its size, the ring has two members and there is a key image. */
export function isPackableMlsag(proof: MlsagProof): boolean {
  const { message, ring, keyImages, offsets, fee, ss, cc } = proof;
  const inputs = keyImages.length;
  return (
    ring.length >= 2 &&
    inputs >= 1 &&
    ss.length === ring.length &&
    ss.every((scalars) => scalars.length === inputs + 1 && scalars.every(isElement)) &&
    ring.every((column) => column.length === inputs) &&
    ring.flat().every(({ key, commitment }) => isElement(key) && isElement(commitment)) &&
    [message, cc, ...keyImages, ...offsets].every(isElement) &&
    fee >= 0n &&
    fee < AMOUNT_LIMIT
  );
}

function mlsagSize({ ring, keyImages, offsets }: MlsagProof): number {
  const inputs = keyImages.length;
  return 5 * 4 + 32 * (2 + inputs + offsets.length + ring.length * (3 * inputs + 1));
}

/** Packs signatures that are packable. */
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

/** True if every field has its size. */
export function isPackableBorromean({ commitment, ee, s0, s1, Ci }: BorromeanProof): boolean {
  return (
    isElement(commitment) &&
    isElement(ee) &&
    [s0, s1, Ci].every((list) => list.length === BORROMEAN_BITS && list.every(isElement))
  );
}

/** Packs proofs that are packable. */
export function packBorromeans(proofs: readonly BorromeanProof[]): Uint8Array {
  const packer = packerFor(proofs, () => 32 * (2 + 3 * BORROMEAN_BITS));
  for (const { commitment, ee, s0, s1, Ci } of proofs) {
    packer.elements([commitment, ee]);
    for (const list of [s0, s1, Ci]) packer.elements(list);
  }
  return packer.bytes;
}

/** True if every field has its size. */
export function isPackableBulletproof(proof: BulletproofProof): boolean {
  const { A, S, T1, T2, taux, mu, a, b, t } = proof;
  return [A, S, T1, T2, taux, mu, a, b, t].every(isElement) && hasRangeProofLists(proof);
}

/** Packs proofs that are packable. */
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
