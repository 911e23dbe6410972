import type { BulletproofPlusProof, ClsagProof } from '../types.ts';
import { isElement } from '../proofs/shapes.ts';
import { Packer } from '../packer.ts';

/** Returns the concatenated elements, or undefined if one of them does not have 32 bytes. */
export function packElements(list: readonly Uint8Array[]): Uint8Array | undefined {
  if (!list.every(isElement)) return undefined;
  const packer = new Packer(32 * list.length);
  packer.elements(list);
  return packer.bytes;
}

/**
 * Returns the packed signatures, whose shapes must be right (proofs/shapes.ts): for a ring of n, a 32-bit n
 * and 5 + 3n elements of 32 bytes.
 */
export function packClsags(proofs: readonly ClsagProof[]): Uint8Array {
  const sizes = proofs.map((proof) => 4 + 32 * (5 + 3 * proof.ring.length));
  const packer = new Packer(sizes.reduce((sum, size) => sum + size, 0));
  for (const { message, ring, pseudoOut, keyImage, s, c1, D } of proofs) {
    packer.number(ring.length);
    packer.elements([message, pseudoOut, keyImage, D, c1]);
    for (const member of ring) packer.element(member.key);
    for (const member of ring) packer.element(member.commitment);
    packer.elements(s);
  }
  return packer.bytes;
}

/** Returns the packed proofs, whose shapes must be right: two 32-bit sizes each, then elements of 32 bytes. */
export function packRangeProofs(proofs: readonly BulletproofPlusProof[]): Uint8Array {
  const sizes = proofs.map(
    ({ commitments, L, R }) => 8 + 32 * (6 + commitments.length + L.length + R.length),
  );
  const packer = new Packer(sizes.reduce((sum, size) => sum + size, 0));
  for (const { commitments, A, A1, B, r1, s1, d1, L, R } of proofs) {
    packer.number(commitments.length);
    packer.number(L.length);
    packer.elements([A, A1, B, r1, s1, d1]);
    packer.elements(commitments);
    packer.elements(L);
    packer.elements(R);
  }
  return packer.bytes;
}
