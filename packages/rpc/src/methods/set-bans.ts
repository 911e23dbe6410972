import { banHost, isSubnet } from '../chain/ban-host.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import type { RpcContext } from '../context.ts';
import { f } from '../wire/fields.ts';
import { defineTable, type InputOf } from '../wire/kinds.ts';

const BAN = defineTable({ ban: f.bool(), host: f.text(), ip: f.u32(), seconds: f.u32() });
type Ban = InputOf<(typeof BAN)['fields']>;

export const setBans = defineMethod({
  names: ['set_bans'],
  summary: 'Bans addresses, or lifts bans.',
  restricted: 'hidden',
  base: 'basic',
  request: { bans: f.objects(BAN) },
  response: {},
  handler: (request, context) => {
    for (const ban of request.bans) applyBan(ban, context);
    return {};
  },
});

function applyBan(ban: Ban, { p2p }: RpcContext): void {
  if (!ban.ban && ban.host === 'all') {
    for (const { host } of p2p.bans()) p2p.unban(host);
    return;
  }
  const host = ban.host === '' ? dottedQuad(ban.ip) : hostOrSubnet(ban.host);
  if (!ban.ban) p2p.unban(host);
  else if (!p2p.ban(host, ban.seconds)) throw unsupported();
}

function hostOrSubnet(text: string): string {
  const host = isSubnet(text) ? text : banHost(text);
  if (host === undefined) throw unsupported();
  return host;
}

const unsupported = (): RpcError =>
  new RpcError(RPC_ERROR.wrongParam, 'Unsupported host/subnet type');

/** The low byte is the first octet. */
function dottedQuad(ip: number): string {
  if (ip === 0) throw new RpcError(RPC_ERROR.wrongParam, 'No ip/host supplied');
  return [0, 8, 16, 24].map((shift) => (ip >>> shift) & 0xff).join('.');
}
