import { type BanRequest, RPC_ERROR } from '@monero-node/rpc-schema';
import type { RpcContext } from '../context.ts';
import { JsonRpcError } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';

/** Returns the banned hosts with the seconds left of each ban. */
const getBans: HandlerOf<'getBans'> = (_request, { services: { p2p } }) => ({
  bans: p2p.bans().map(({ host, ip, seconds }) => ({ host, ip, seconds: toU32(seconds) })),
});

function toU32(seconds: number): number {
  return Math.min(Math.max(0, Math.floor(seconds)), 0xffffffff);
}

/**
 * Bans hosts and subnets, or ends their bans. Throws JsonRpcError for text that names neither, as one is
 * read by `parseBanTarget` of packages/p2p.
 */
const setBans: HandlerOf<'setBans'> = (request, context) => {
  for (const ban of request.bans) applyBan(ban, context);
  return {};
};

function applyBan(ban: BanRequest, { services: { p2p } }: RpcContext): void {
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

/**
 * Returns the seconds left of the ban that covers an address. Its answer has no `untrusted`, unlike all others. Throws
 * JsonRpcError for text that is not an address.
 */
const banned: HandlerOf<'banned'> = ({ address }, { services: { p2p } }) => {
  if (p2p.banKind(address) !== 'host') {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Unsupported host type');
  }
  const seconds = p2p.banned(address);
  return {
    banned: seconds !== undefined,
    seconds: Math.min(Math.ceil(seconds ?? 0), 0xffffffff),
  };
};

export const BAN_ROWS = {
  getBans: { handler: getBans, answeredBy: 'main' },
  setBans: { handler: setBans, answeredBy: 'main' },
  banned: { handler: banned, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
