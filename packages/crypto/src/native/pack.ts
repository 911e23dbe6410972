import type { BulletproofPlusProof, ClsagProof } from '../types.ts';
import { isElement, Packer } from './packer.ts';

const MAX_OUTPUTS = 16;
const ROUNDS_FOR_ONE = 6;

/** The elements one after another, or undefined if one of them is not 32 bytes. */
export function packElements(list: readonly Uint8Array[]): Uint8Array | undefined {
  if (!list.every(isElement)) return undefined;
  const packer = new Packer(32 * list.length);
  packer.elements(list);
  return packer.bytes;
}

/** True if every field has its size; whether the bytes mean anything is for the addon to say. */
export function isPackableClsag(proof: ClsagProof): boolean {
  const { ring, s } = proof;
  return (
    ring.length >= 1 &&
    s.length === ring.length &&
    isElement(proof.message) &&
    isElement(proof.pseudoOut) &&
    isElement(proof.keyImage) &&
    isElement(proof.D) &&
    isElement(proof.c1) &&
    ring.every((member) => isElement(member.key) && isElement(member.commitment)) &&
    s.every(isElement)
  );
}

/** Packs signatures that are packable. */
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

/** True if the lists of a range proof fit together: the rounds of the smallest padding of 1 to 16 outputs. */
export function hasRangeProofLists(
  proof: Pick<BulletproofPlusProof, 'commitments' | 'L' | 'R'>,
): boolean {
  const { commitments, L, R } = proof;
  const outputs = commitments.length;
  if (outputs < 1 || outputs > MAX_OUTPUTS) return false;
  const rounds = ROUNDS_FOR_ONE + Math.ceil(Math.log2(outputs));
  return (
    L.length === rounds &&
    R.length === rounds &&
    [commitments, L, R].every((list) => list.every(isElement))
  );
}

/** True if every field has its size. */
export function isPackableRangeProof(proof: BulletproofPlusProof): boolean {
  const { A, A1, B, r1, s1, d1 } = proof;
  return [A, A1, B, r1, s1, d1].every(isElement) && hasRangeProofLists(proof);
}

/** Packs proofs that are packable. */
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
