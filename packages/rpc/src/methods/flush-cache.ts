import type { HandlerOf } from '../method.ts';

export const flushCache: HandlerOf<'flushCache'> = (request, { chain }) => {
  if (request.bad_blocks) chain.forgetInvalidBlocks();
  return {};
};
