import type { HandlerOf } from '../method.ts';

/** Returns the banned hosts with the seconds left of each ban. */
export const getBans: HandlerOf<'getBans'> = (_request, { p2p }) => ({
  bans: p2p.bans().map(({ host, ip, seconds }) => ({ host, ip, seconds: toU32(seconds) })),
});

function toU32(seconds: number): number {
  return Math.min(Math.max(0, Math.floor(seconds)), 0xffffffff);
}
