import { defineTable, f, optional } from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

/** A rig. */
const RIG = defineTable({
  accepted: f.u64(),
  address: f.text(),
  agent: f.text(),
  blocks: f.u64(),
  connections: f.u64(),
  difficulty: f.u64(),
  hash_rate: f.u64(),
  last_share: optional(f.u64()),
  name: f.text(),
  pays: f.text(),
  refused: f.u64(),
  since: f.u64(),
  stale: f.u64(),
});

/** Methods about the rigs that mine for this node. They are this node's own: monerod serves no rigs. */
export const RIG_METHODS = {
  getStratumRigs: defineMethod({
    names: ['get_stratum_rigs'],
    summary:
      'Returns the rigs that have logged in since the start, in the order of their first login, and what their shares show. `since` is when a rig connected, or left if it has no `connections`; `pays` is whose address its blocks pay, `owner` or `login`; `hash_rate` is that of the last ten minutes. Times are in Unix seconds. Of this node only, and only with `--stratum-bind-port`.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: {
      accepted: f.u64(),
      connected: f.u64(),
      hash_rate: f.u64(),
      refused: f.u64(),
      rigs: f.objects(RIG),
      stale: f.u64(),
    },
  }),
};
