import { ed25519 } from '@noble/curves/ed25519.js';

const { Point } = ed25519;
/** The inverse of 8 modulo the order of the base point. */
const INVERSE_OF_EIGHT = Point.Fn.inv(8n);

/**
 * A commitment times 1/8, in which form range proofs speak of it (src/ringct/rctSigs.cpp, V). Takes and returns 32
 * bytes. Throws for bytes that are no point, which no accepted transaction holds.
 */
export function divideByEight(commitment: Uint8Array): Uint8Array {
  return Point.fromBytes(commitment, true).multiplyUnsafe(INVERSE_OF_EIGHT).toBytes();
}
