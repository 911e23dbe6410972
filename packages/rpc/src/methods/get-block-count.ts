import type { HandlerOf } from '../method.ts';

export const getBlockCount: HandlerOf<'getBlockCount'> = (_items, { chain }) => ({
  count: chain.height,
});
