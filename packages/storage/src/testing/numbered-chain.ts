import type { AltBlock } from '../records.ts';
import type { StoreChange } from '../chain-store.ts';
import { RandomChain } from './random-chain.ts';
import { recordOf, type LooseBlock } from '../record-objects.ts';

/** The block at a height, the same in every process. */
export function numberedBlock(height: number): LooseBlock {
  return new RandomChain(`block ${height}`).block(height);
}

/** The alternative block that is in the store while the chain has `height` blocks. */
export function numberedAltBlock(height: number): AltBlock {
  return new RandomChain(`alt ${height}`).altBlock(height);
}

/**
 * Takes a chain of numbered blocks from one height to a greater one by way of a lower one, and the
 * alternative block with it: any part of it alone would show.
 */
export function numberedChange(from: number, popTo: number, to: number): StoreChange {
  return {
    popTo,
    append: Array.from({ length: to - popTo }, (_, i) => recordOf(numberedBlock(popTo + i))),
    putAlt: [numberedAltBlock(to)],
    removeAlt: [numberedAltBlock(from).id],
  };
}
