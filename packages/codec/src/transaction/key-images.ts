import type { Transaction } from './types.ts';

/**
 * Returns the key images of a transaction's inputs in their order, 32 bytes each; none for a miner
 * transaction. They are views into the decoded transaction: copy them to keep them longer.
 */
export function keyImagesOf({ inputs }: Pick<Transaction, 'inputs'>): Uint8Array[] {
  return inputs.flatMap((input) => (input.kind === 'key' ? [input.keyImage] : []));
}
