import type { HandlerOf } from '../method.ts';
import { alternativeBlocks } from '../blocks/alternative-blocks.ts';

/** Served restricted too, as 0.18 does. */
export const getAltBlocksHashes: HandlerOf<'getAltBlocksHashes'> = (_request, { chain }) => ({
  blks_hashes: alternativeBlocks(chain).map((block) => block.id),
});
