import { type BanRequest, RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { banHost, isSubnet } from '../peers/ban-host.ts';
import { JsonRpcError } from '../errors.ts';
import type { RpcContext } from '../context.ts';

/**
 * Bans hosts and subnets, or ends their bans. Throws JsonRpcError for a host that is neither an address nor a subnet.
 */
export const setBans: HandlerOf<'setBans'> = (request, context) => {
  for (const ban of request.bans) applyBan(ban, context);
  return {};
};

function applyBan(ban: BanRequest, { p2p }: RpcContext): void {
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

const unsupported = (): JsonRpcError =>
  new JsonRpcError(RPC_ERROR.wrongParam, 'Unsupported host/subnet type');

/** The low byte is the first octet. */
function dottedQuad(ip: number): string {
  if (ip === 0) throw new JsonRpcError(RPC_ERROR.wrongParam, 'No ip/host supplied');
  return [0, 8, 16, 24].map((shift) => (ip >>> shift) & 0xff).join('.');
}
