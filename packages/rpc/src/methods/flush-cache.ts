import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const flushCache = defineMethod({
  names: ['flush_cache'],
  summary: 'Forgets which blocks were found to be bad.',
  restricted: 'hidden',
  base: 'basic',
  request: { bad_blocks: f.bool() },
  response: {},
  handler: (request, { chain }) => {
    if (request.bad_blocks) chain.forgetInvalidBlocks();
    return {};
  },
});
