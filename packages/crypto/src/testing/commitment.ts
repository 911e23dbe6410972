import { createH, G } from '../curve/point.ts';

/** The Pedersen commitment mask·G + amount·H, encoded. */
export function commit(mask: bigint, amount: bigint): Uint8Array {
  return G.multiplyUnsafe(mask).add(createH().multiplyUnsafe(amount)).toBytes();
}
