import { defineTable, f, type InputOf, omitDefault } from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

const BAN = defineTable({ host: f.text(), ip: f.u32(), seconds: f.u32() });

const BAN_REQUEST = defineTable({
  ban: f.bool(),
  host: f.text(),
  ip: omitDefault(f.u32()),
  seconds: f.u32(),
});
export type BanRequest = InputOf<(typeof BAN_REQUEST)['fields']>;

/** Methods about bans. */
export const BAN_METHODS = {
  getBans: defineMethod({
    names: ['get_bans'],
    summary: 'Returns the banned addresses.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: { bans: f.objects(BAN) },
  }),
  setBans: defineMethod({
    names: ['set_bans'],
    summary: 'Bans addresses or lifts their bans.',
    restricted: 'hidden',
    base: 'basic',
    request: { bans: f.objects(BAN_REQUEST) },
    response: {},
  }),
  banned: defineMethod({
    names: ['banned'],
    summary: 'Returns whether an address is banned, and for how many more seconds.',
    restricted: 'hidden',
    base: 'status',
    request: { address: f.text() },
    response: { banned: f.bool(), seconds: f.u32() },
  }),
};
