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

/** Methods about the blocks that this node has found. They are this node's own: monerod has none like them. */
export const LEDGER_METHODS = {
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
};
