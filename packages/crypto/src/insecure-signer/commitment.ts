import { createH, G } from '../curve/point.ts';
import { addTerms } from './add-terms.ts';

const [G_BYTES, H_BYTES] = [G.toBytes(), createH().toBytes()] as const;

/** Returns the Pedersen commitment mask·G + amount·H, 32 bytes, to an amount in atomic units. */
export function commit(mask: bigint, amount: bigint): Uint8Array {
  const [commitment] = addTerms([
    [
      [mask, G_BYTES],
      [amount, H_BYTES],
    ],
  ]) as [Uint8Array];
  return commitment;
}
