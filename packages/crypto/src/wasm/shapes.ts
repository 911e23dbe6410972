import type { ClsagProof } from '../types.ts';
import type { InputWriter } from './input-writer.ts';

// What has to be known about a proof before it is laid out in memory.

const AMOUNT_LIMIT = 2n ** 64n;
const MAX_OUTPUTS = 16;
/** log2(64): the rounds of a proof over a single amount. */
const ROUNDS_FOR_ONE = 6;

/** True for an unsigned 64-bit integer. */
export function isAmount(amount: bigint): boolean {
  return amount >= 0n && amount < AMOUNT_LIMIT;
}

export function isElement(bytes: Uint8Array): boolean {
  return bytes.length === 32;
}

/** True if a signature has as many scalars as ring members, at least one, and all fields are 32 bytes. */
export function hasClsagSizes(proof: ClsagProof): boolean {
  const { ring, s } = proof;
  return (
    ring.length >= 1 &&
    s.length === ring.length &&
    [proof.message, proof.pseudoOut, proof.keyImage, proof.D, proof.c1].every(isElement) &&
    ring.every(({ key, commitment }) => isElement(key) && isElement(commitment)) &&
    s.every(isElement)
  );
}

/** True if the rounds of a range proof are those of 1 to 16 outputs padded to a power of two, all fields 32 bytes. */
export function hasRangeProofSizes(lists: {
  readonly commitments: readonly Uint8Array[];
  readonly L: readonly Uint8Array[];
  readonly R: readonly Uint8Array[];
}): boolean {
  const { commitments, L, R } = lists;
  const outputs = commitments.length;
  if (outputs < 1 || outputs > MAX_OUTPUTS) return false;
  const rounds = ROUNDS_FOR_ONE + Math.ceil(Math.log2(outputs));
  return (
    L.length === rounds &&
    R.length === rounds &&
    [commitments, L, R].every((list) => list.every(isElement))
  );
}

/** Makes a weight of 32 random bytes and writes it: one of 2^247 scalars below l, never 0. */
export function writeWeight(input: InputWriter, random: Uint8Array): void {
  random[0] = (random[0] as number) | 1;
  random[31] = 0;
  input.element(random);
}
