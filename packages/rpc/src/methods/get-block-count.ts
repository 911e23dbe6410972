import type { HandlerOf } from '../method.ts';

/** Returns the height of the chain, in blocks. */
export const getBlockCount: HandlerOf<'getBlockCount'> = (_items, { chain }) => ({
  count: chain.height,
});
