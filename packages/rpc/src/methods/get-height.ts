import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getHeight = defineMethod({
  paths: ['/get_height', '/getheight'],
  summary: 'Tells the height of the chain and the id of its top block.',
  restricted: 'served',
  base: 'basic',
  request: {},
  response: { hash: f.hash(), height: f.u64() },
  handler: (_request, { chain }) => ({ hash: chain.topId, height: chain.height }),
});
