import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** KiB per second. */
export const getLimit = defineMethod({
  paths: ['/get_limit'],
  summary: 'Tells the limits of bandwidth, in KiB/s.',
  restricted: 'served',
  base: 'basic',
  request: {},
  response: { limit_down: f.u64(), limit_up: f.u64() },
  handler: (_request, { p2p }) => ({ limit_down: p2p.limits.down, limit_up: p2p.limits.up }),
});
