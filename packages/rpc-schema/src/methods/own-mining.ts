import { defineTable, f, optional, withDefault } from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

/** Blocks of an answer unless the caller wants fewer or more. */
const USUAL_BLOCKS = 100n;

/** A block of the ledger. */
const LEDGER_BLOCK = defineTable({
  confirmations: f.u64(),
  difficulty: f.u64(),
  difficulty_top64: f.u64(),
  effort_percent: optional(f.u64()),
  fate: f.text(),
  finder: f.text(),
  hash: f.text(),
  hashes: optional(f.u64()),
  height: f.u64(),
  reward: f.u64(),
  rig: optional(f.text()),
  timestamp: f.u64(),
  wide_difficulty: f.text(),
});

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

/** Methods about what mines for this node and the blocks that it has found. They are this node's own: monerod has none like them. */
export const OWN_MINING_METHODS = {
  getMiningLedger: defineMethod({
    names: ['get_mining_ledger'],
    summary:
      'Returns the blocks that this node has found, the newest first, and what has become of them: `pending`, `confirmed`, `unlocked` or `orphaned`. Of this node only.',
    restricted: 'hidden',
    base: 'basic',
    request: { count: withDefault(f.u64(), USUAL_BLOCKS), offset: f.u64() },
    response: {
      blocks: f.objects(LEDGER_BLOCK),
      effort_percent: f.u64(),
      hashes: f.u64(),
      orphaned: f.u64(),
      total: f.u64(),
    },
  }),
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
