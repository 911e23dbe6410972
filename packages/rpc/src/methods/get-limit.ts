import type { HandlerOf } from '../method.ts';

/** KiB per second. */
export const getLimit: HandlerOf<'getLimit'> = (_request, { p2p }) => ({
  limit_down: p2p.limits.down,
  limit_up: p2p.limits.up,
});
