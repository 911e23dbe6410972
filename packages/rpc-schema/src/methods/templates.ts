import { defineTable, f, omitDefault, optional } from '@monero-node/codec/portable-storage';
import { defineMethod, defineListMethod, defineValueMethod } from '../method-schema.ts';

const AUX_POW_REQUEST = defineTable({ hash: f.hexText(), id: f.hexText() });

const AUX_POW = defineTable({ hash: f.hash(), id: f.hash() });

const MINER_BACKLOG_TX = defineTable({ fee: f.u64(), id: f.hash(), weight: f.u64() });

/** Methods about block templates and mined blocks. */
export const TEMPLATE_METHODS = {
  getBlockTemplate: defineMethod({
    names: ['get_block_template', 'getblocktemplate'],
    summary: 'Returns a block that lacks only its proof of work.',
    restricted: 'served',
    base: 'basic',
    request: {
      extra_nonce: f.hexText(),
      prev_block: f.hexText(),
      reserve_size: f.u64(),
      wallet_address: f.text(),
    },
    response: {
      blockhashing_blob: f.hex(),
      blocktemplate_blob: f.hex(),
      cumulative_weight: omitDefault(f.u64()),
      difficulty: f.u64(),
      difficulty_top64: f.u64(),
      expected_reward: f.u64(),
      height: f.u64(),
      next_seed_hash: f.text(),
      prev_hash: f.hash(),
      reserved_offset: f.u64(),
      seed_hash: f.hash(),
      seed_height: f.u64(),
      wide_difficulty: f.text(),
    },
  }),
  getMinerData: defineMethod({
    names: ['get_miner_data'],
    summary:
      'Returns the data with which a miner builds its own blocks. The two fields of the curve tree are there from block version 17 on.',
    restricted: 'served',
    base: 'basic',
    request: {},
    response: {
      already_generated_coins: f.u64(),
      difficulty: f.text(),
      fcmp_pp_n_tree_layers: optional(f.u8()),
      fcmp_pp_tree_root: optional(f.hash()),
      height: f.u64(),
      major_version: f.u8(),
      median_weight: f.u64(),
      prev_id: f.hash(),
      seed_hash: f.hash(),
      tx_backlog: f.objects(MINER_BACKLOG_TX),
    },
  }),
  addAuxPow: defineMethod({
    names: ['add_aux_pow'],
    summary: 'Adds a commitment to blocks of other chains to a block template, for merge mining.',
    restricted: 'served',
    base: 'basic',
    request: { aux_pow: f.objects(AUX_POW_REQUEST), blocktemplate_blob: f.hexText() },
    response: {
      aux_pow: f.objects(AUX_POW),
      blockhashing_blob: f.hex(),
      blocktemplate_blob: f.hex(),
      merkle_root: f.hash(),
      merkle_tree_depth: f.u64(),
    },
  }),
  submitBlock: defineListMethod({
    names: ['submit_block', 'submitblock'],
    summary: 'Adds a mined block to the chain.',
    restricted: 'served',
    items: f.hexText(),
    response: { block_id: optional(f.hash()) },
  }),
  generateBlocks: defineMethod({
    names: ['generateblocks'],
    summary: 'Mines blocks on a regtest chain.',
    restricted: 'hidden',
    base: 'basic',
    request: {
      amount_of_blocks: f.u64(),
      prev_block: f.hexText(),
      starting_nonce: f.u32(),
      wallet_address: f.text(),
    },
    response: { blocks: f.hashes(), height: f.u64() },
  }),
  calcPow: defineValueMethod({
    names: ['calc_pow'],
    summary: 'Returns the proof-of-work hash of a block.',
    restricted: 'hidden',
    request: {
      block_blob: f.hexText(),
      height: f.u64(),
      major_version: f.u8(),
      seed_hash: f.hexText(),
    },
    response: f.hash(),
  }),
};
