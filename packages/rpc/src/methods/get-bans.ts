import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

const BAN = defineTable({ host: f.text(), ip: f.u32(), seconds: f.u32() });

export const getBans = defineMethod({
  names: ['get_bans'],
  summary: 'Lists banned addresses.',
  restricted: 'hidden',
  base: 'basic',
  request: {},
  response: { bans: f.objects(BAN) },
  handler: (_request, { p2p }) => ({
    bans: p2p.bans().map(({ host, ip, seconds }) => ({ host, ip, seconds: toU32(seconds) })),
  }),
});

function toU32(seconds: number): number {
  return Math.min(Math.max(0, Math.floor(seconds)), 0xffffffff);
}
