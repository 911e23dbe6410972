import { defineListMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getBlockCount = defineListMethod({
  names: ['get_block_count', 'getblockcount'],
  summary: 'Tells the height of the chain.',
  restricted: 'served',
  steady: true,
  items: f.text(),
  response: { count: f.u64() },
  handler: (_items, { chain }) => ({ count: chain.height }),
});
