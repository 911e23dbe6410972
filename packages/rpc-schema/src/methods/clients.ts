import { defineTable, f, withDefault } from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

/** Clients of an answer unless the caller wants fewer or more. */
const USUAL_CLIENTS = 20n;

/** What a client has cost. */
const CLIENT = defineTable({ bytes: f.u64(), calls: f.u64(), host: f.text(), time: f.u64() });
/** What clients have cost that are not listed. */
const OTHERS = defineTable({ bytes: f.u64(), calls: f.u64(), time: f.u64() });

/** The method about clients. It is this node's own: monerod has none like it. */
export const CLIENT_METHODS = {
  getTopClients: defineMethod({
    names: ['get_top_clients'],
    summary:
      'Returns the RPC clients that have cost most, the most first: `order` is `time`, `calls` or `bytes`. `host` is an address, or the /64 of an IPv6 address; `time` is in microseconds until answers were ready, waiting included. `others` is the sum of clients that are no longer listed because there were too many. `since` is when counting began, in Unix seconds, and 0 while nothing is counted: clients are counted with `--rpc-client-log`, and while the page of the owner is open. Of this node only.',
    restricted: 'hidden',
    base: 'basic',
    request: { count: withDefault(f.u64(), USUAL_CLIENTS), order: withDefault(f.text(), 'time') },
    response: { clients: f.objects(CLIENT), others: f.object(OTHERS), since: f.u64() },
  }),
};
