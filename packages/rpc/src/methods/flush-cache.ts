import type { HandlerOf } from '../method.ts';

/** Forgets the blocks known to be invalid, when asked to. */
export const flushCache: HandlerOf<'flushCache'> = (request, { chain }) => {
  if (request.bad_blocks) chain.forgetInvalidBlocks();
  return {};
};
