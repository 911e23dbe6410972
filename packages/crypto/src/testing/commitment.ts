import { createH, G } from '../curve/point.ts';

/** Returns the encoded Pedersen commitment mask·G + amount·H. */
export function commit(mask: bigint, amount: bigint): Uint8Array {
  return G.multiplyUnsafe(mask).add(createH().multiplyUnsafe(amount)).toBytes();
}
