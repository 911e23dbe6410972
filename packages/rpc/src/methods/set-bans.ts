import { type BanRequest, RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { JsonRpcError } from '../errors.ts';
import type { RpcContext } from '../context.ts';

/**
 * Bans hosts and subnets, or ends their bans. Throws JsonRpcError for text that names neither, as one is
 * read by `parseBanTarget` of packages/p2p.
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
  const host = ban.host === '' ? dottedQuad(ban.ip) : ban.host;
  if (p2p.banKind(host) === undefined) throw unsupported();
  if (!ban.ban) p2p.unban(host);
  else if (!p2p.ban(host, ban.seconds)) throw unsupported();
}

const unsupported = (): JsonRpcError =>
  new JsonRpcError(RPC_ERROR.wrongParam, 'Unsupported host/subnet type');

/** The low byte is the first octet. */
function dottedQuad(ip: number): string {
  if (ip === 0) throw new JsonRpcError(RPC_ERROR.wrongParam, 'No ip/host supplied');
  return [0, 8, 16, 24].map((shift) => (ip >>> shift) & 0xff).join('.');
}
