import type { OutputCandidate, PointSum } from '../types.ts';
import { Packer } from './packer.ts';

/** The number that stands for an output without a view tag. */
const NO_VIEW_TAG = 256;

/** Returns the packed outputs, whose shapes must be right (proofs/shapes.ts): two 32-bit numbers and two elements each. */
export function packCandidates(candidates: readonly OutputCandidate[]): Uint8Array {
  const packer = new Packer(candidates.length * (8 + 2 * 32));
  for (const { index, viewTag, derivation, key } of candidates) {
    packer.number(index);
    packer.number(viewTag ?? NO_VIEW_TAG);
    packer.element(derivation);
    packer.element(key);
  }
  return packer.bytes;
}

/** Returns the packed sums, whose shapes must be right: four elements each. */
export function packSums(sums: readonly PointSum[]): Uint8Array {
  const packer = new Packer(sums.length * 4 * 32);
  for (const { a, A, b, B } of sums) packer.elements([a, A, b, B]);
  return packer.bytes;
}
