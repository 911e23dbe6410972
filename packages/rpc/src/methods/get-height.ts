import type { HandlerOf } from '../method.ts';

/** Returns the height of the chain, in blocks, and the 32-byte id of its top block. */
export const getHeight: HandlerOf<'getHeight'> = (_request, { chain }) => ({
  hash: chain.topId,
  height: chain.height,
});
