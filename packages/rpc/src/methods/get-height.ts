import type { HandlerOf } from '../method.ts';

export const getHeight: HandlerOf<'getHeight'> = (_request, { chain }) => ({
  hash: chain.topId,
  height: chain.height,
});
