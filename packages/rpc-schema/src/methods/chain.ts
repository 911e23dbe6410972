import { defineTable, f, omitDefault } from '@monero-node/codec/portable-storage';
import { defineMethod, defineListMethod, defineListToValue } from '../method-schema.ts';

const ALTERNATIVE_CHAIN = defineTable({
  block_hash: f.hash(),
  block_hashes: f.hashes(),
  difficulty: f.u64(),
  difficulty_top64: f.u64(),
  height: f.u64(),
  length: f.u64(),
  main_chain_parent_block: f.hash(),
  wide_difficulty: f.text(),
});

const HARD_FORK = defineTable({ height: f.u64(), hf_version: f.u8() });

/** Methods about the chain as a whole. */
export const CHAIN_METHODS = {
  getBlockCount: defineListMethod({
    names: ['get_block_count', 'getblockcount'],
    summary: 'Returns the height of the chain.',
    restricted: 'served',
    steady: true,
    items: f.text(),
    response: { count: f.u64() },
  }),
  getHeight: defineMethod({
    paths: ['/get_height', '/getheight'],
    summary: 'Returns the height of the chain and the id of its top block.',
    restricted: 'served',
    base: 'basic',
    request: {},
    response: { hash: f.hash(), height: f.u64() },
  }),
  onGetBlockHash: defineListToValue({
    names: ['on_get_block_hash', 'on_getblockhash'],
    summary: 'Returns the id of the block at a height.',
    restricted: 'served',
    steady: true,
    items: f.u64(),
    response: f.hash(),
  }),
  getVersion: defineMethod({
    names: ['get_version'],
    summary: 'Returns the version of this interface and the heights of the hard forks.',
    restricted: 'served',
    base: 'basic',
    request: {},
    response: {
      current_height: omitDefault(f.u64()),
      hard_forks: f.objects(HARD_FORK),
      release: f.bool(),
      target_height: omitDefault(f.u64()),
      version: f.u32(),
    },
  }),
  hardForkInfo: defineMethod({
    names: ['hard_fork_info'],
    summary: 'Returns the height from which a hard fork applies and how blocks vote on it.',
    restricted: 'served',
    base: 'access',
    request: { version: f.u8() },
    response: {
      earliest_height: f.u64(),
      enabled: f.bool(),
      state: f.u32(),
      threshold: f.u32(),
      version: f.u8(),
      votes: f.u32(),
      voting: f.u8(),
      window: f.u32(),
    },
  }),
  getAlternateChains: defineMethod({
    names: ['get_alternate_chains'],
    summary: 'Returns the alternative chains, each described by its tip.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: { chains: f.objects(ALTERNATIVE_CHAIN) },
  }),
  getAltBlocksHashes: defineMethod({
    paths: ['/get_alt_blocks_hashes'],
    summary: 'Returns the ids of alternative blocks.',
    restricted: 'hidden',
    base: 'access',
    request: {},
    response: { blks_hashes: f.hashes() },
  }),
  getCoinbaseTxSum: defineMethod({
    names: ['get_coinbase_tx_sum'],
    summary: 'Returns the sum of new coins and of fees paid to miners by consecutive blocks.',
    restricted: 'hidden',
    base: 'access',
    request: { count: f.u64(), height: f.u64() },
    response: {
      emission_amount: f.u64(),
      emission_amount_top64: f.u64(),
      fee_amount: f.u64(),
      fee_amount_top64: f.u64(),
      wide_emission_amount: f.text(),
      wide_fee_amount: f.text(),
    },
  }),
  popBlocks: defineMethod({
    paths: ['/pop_blocks'],
    summary: 'Removes blocks from the top of the chain.',
    restricted: 'hidden',
    base: 'basic',
    request: {
      /** Heeded by monerod only. */
      keep_txs: f.bool(),
      nblocks: f.u64(),
    },
    response: { height: f.u64() },
  }),
  pruneBlockchain: defineMethod({
    names: ['prune_blockchain'],
    summary: 'Prunes the chain, which cannot be undone, or checks a pruned chain.',
    restricted: 'hidden',
    base: 'basic',
    request: { check: f.bool() },
    response: { pruned: f.bool(), pruning_seed: f.u32() },
  }),
  flushCache: defineMethod({
    names: ['flush_cache'],
    summary: 'Clears the list of blocks that failed verification.',
    restricted: 'hidden',
    base: 'basic',
    request: {
      bad_blocks: f.bool(),
      /** Heeded by monerod only. */
      bad_txs: f.bool(),
    },
    response: {},
  }),
};
