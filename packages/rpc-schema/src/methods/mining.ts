import { f } from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

/** Methods about the built-in miner. */
export const MINING_METHODS = {
  startMining: defineMethod({
    paths: ['/start_mining'],
    summary: 'Starts the built-in miner.',
    restricted: 'hidden',
    base: 'basic',
    request: {
      do_background_mining: f.bool(),
      ignore_battery: f.bool(),
      miner_address: f.text(),
      threads_count: f.u64(),
    },
    response: {},
  }),
  stopMining: defineMethod({
    paths: ['/stop_mining'],
    summary: 'Stops the built-in miner.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: {},
  }),
  miningStatus: defineMethod({
    paths: ['/mining_status'],
    summary: 'Returns the state of the built-in miner.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: {
      active: f.bool(),
      address: f.text(),
      bg_idle_threshold: f.u8(),
      bg_ignore_battery: f.bool(),
      bg_min_idle_seconds: f.u8(),
      bg_target: f.u8(),
      block_reward: f.u64(),
      block_target: f.u32(),
      difficulty: f.u64(),
      difficulty_top64: f.u64(),
      is_background_mining_enabled: f.bool(),
      pow_algorithm: f.text(),
      speed: f.u64(),
      threads_count: f.u32(),
      wide_difficulty: f.text(),
    },
  }),
  setLogHashRate: defineMethod({
    paths: ['/set_log_hash_rate'],
    summary: 'Turns logging of the hash rate on or off.',
    restricted: 'hidden',
    base: 'basic',
    request: { visible: f.bool() },
    response: {},
  }),
};
