import { banHost } from '../chain/ban-host.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** Seconds left of the ban that covers an address. Alone among all methods it sends no `untrusted`. */
export const banned = defineMethod({
  names: ['banned'],
  summary: 'Tells whether an address is banned, and for how much longer.',
  restricted: 'hidden',
  base: 'status',
  request: { address: f.text() },
  response: { banned: f.bool(), seconds: f.u32() },
  handler: ({ address }, { p2p }) => {
    const host = banHost(address);
    if (host === undefined) {
      throw new RpcError(RPC_ERROR.wrongParam, 'Unsupported host type');
    }
    const seconds = p2p.banned(host);
    return {
      banned: seconds !== undefined,
      seconds: Math.min(Math.ceil(seconds ?? 0), 0xffffffff),
    };
  },
});
