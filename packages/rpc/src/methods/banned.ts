import { isIP } from 'node:net';
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
    const host = withoutPort(address);
    if (isIP(host) === 0 && !/\.(onion|i2p)$/.test(host)) {
      throw new RpcError(RPC_ERROR.wrongParam, 'Unsupported host type');
    }
    const seconds = p2p.banned(host);
    return {
      banned: seconds !== undefined,
      seconds: Math.min(Math.ceil(seconds ?? 0), 0xffffffff),
    };
  },
});

/** `host:port`, `[v6]:port` or `[v6]` count as the host; bans know no ports. Source: src/net/parse.cpp. */
function withoutPort(address: string): string {
  return (
    /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([^:]+):\d+$/.exec(address)?.[1] ?? address
  );
}
