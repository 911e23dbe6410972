import type { ChainSample } from '../chain-sample.ts';
import { alone, json, MAIN, rpc, type ReplayRequest } from '../request.ts';
import { UNKNOWN_HASH } from './values.ts';

/** Returns requests that pop blocks, so that their transactions return to the pool, and then query the pool. */
export function poolRequests({ txIds, blocksWithLast }: ChainSample): ReplayRequest[] {
  const known = txIds.slice(-6);
  return [
    // The histogram of ages depends on when each pool received its transactions.
    { ...json('/pop_blocks', { nblocks: blocksWithLast(8) }, MAIN), inOneSecond: true },
    ...[
      ...['/get_transaction_pool', '/get_transaction_pool_hashes', '/get_transaction_pool_stats'],
      ...['/get_transaction_pool_hashes.bin', '/get_info', '/get_height'],
    ].map((path) => ({ ...json(path, {}), name: `${path} with a pool` })),
    { ...rpc('get_txpool_backlog'), name: 'get_txpool_backlog with a pool' },
    { ...rpc('get_miner_data'), name: 'get_miner_data with a pool' },
    { ...rpc('get_fee_estimate', { grace_blocks: 3 }), name: 'get_fee_estimate with a pool' },
    {
      ...json('/get_transactions', { txs_hashes: known, decode_as_json: true }),
      name: '/get_transactions of the pool',
    },
    {
      ...json('/get_transactions', { txs_hashes: known, prune: true }),
      name: '/get_transactions of the pool, pruned',
    },
    rpc('relay_tx', { txids: known.slice(-1) }, MAIN),
    rpc('relay_tx', { txids: [...known.slice(-1), UNKNOWN_HASH, 'zz'] }, MAIN),
    rpc('flush_txpool', { txids: known.slice(-2) }, MAIN),
    {
      ...json('/get_transaction_pool_hashes', {}),
      name: '/get_transaction_pool_hashes after a flush',
    },
    { ...rpc('flush_txpool', {}, MAIN), name: 'flush_txpool of all' },
    { ...json('/get_transaction_pool', {}), name: '/get_transaction_pool after a flush' },
    json('/pop_blocks', { nblocks: 0 }, MAIN),
    { ...json('/get_height', {}), name: '/get_height after pops' },
    { ...rpc('get_info'), name: 'get_info after pops' },
  ].map(alone);
}
