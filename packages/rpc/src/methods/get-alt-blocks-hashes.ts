import { alternativeBlocks } from '../chain/alternative-blocks.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** Served restricted too, as 0.18 does. */
export const getAltBlocksHashes = defineMethod({
  paths: ['/get_alt_blocks_hashes'],
  summary: 'Lists the ids of alternative blocks.',
  restricted: 'served',
  base: 'access',
  request: {},
  response: { blks_hashes: f.hashes() },
  handler: (_request, { chain }) => ({
    blks_hashes: alternativeBlocks(chain).map((block) => block.id),
  }),
});
