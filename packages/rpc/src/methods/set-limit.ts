import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

/**
 * Sets the bandwidth limits in KiB per second; -1 sets the default, 0 changes nothing. Throws RpcStatus for values
 * below -1; a bad `limit_up` leaves `limit_down` changed, as in monerod.
 */
export const setLimit: HandlerOf<'setLimit'> = (request, { p2p }) => {
  const down = checkedLimit(request.limit_down);
  if (down !== undefined) p2p.setLimits({ down });
  const up = checkedLimit(request.limit_up);
  if (up !== undefined) p2p.setLimits({ up });
  return { limit_down: p2p.limits.down, limit_up: p2p.limits.up };
};

function checkedLimit(limit: bigint): number | undefined {
  if (limit < -1n) throw new RpcStatus('Invalid parameter');
  return limit === 0n ? undefined : Math.min(Number(limit), Number.MAX_SAFE_INTEGER);
}
