// What wallets, miners and operators ask a node with a full pool.
import { body, bool, u64, u8 } from '../hostile/storage.mjs';
import { ADDRESS } from '../nodes.mjs';
import { call } from './client.mjs';

const TEMPLATE = call('get_block_template', { wallet_address: ADDRESS, reserve_size: 8 });
/** Seconds before now of which a wallet that polls asks for the changes. */
const POLL_SECONDS = 2;

/** The body of a poll of a wallet that has all blocks: 0 asks for the whole pool. */
function poll(since) {
  return body([bool('prune', true), u8('requested_info', 2), u64('pool_info_since', since)]);
}

const now = () => Math.floor(Date.now() / 1000);

/** The calls, each with how often it is made, and whether a transaction is added before each. */
const CALLS = [
  { name: 'get_info', path: '/get_info', body: '{}', count: 15 },
  { name: 'get_info after a change', path: '/get_info', body: '{}', count: 15, changes: true },
  { name: 'template', path: '/json_rpc', body: TEMPLATE, count: 15 },
  { name: 'template after a change', path: '/json_rpc', body: TEMPLATE, count: 15, changes: true },
  {
    name: 'get_miner_data',
    path: '/json_rpc',
    body: call('get_miner_data'),
    count: 9,
    changes: true,
  },
  {
    name: 'get_txpool_backlog',
    path: '/json_rpc',
    body: call('get_txpool_backlog'),
    count: 7,
    changes: true,
  },
  { name: 'pool stats', path: '/get_transaction_pool_stats', body: '{}', count: 7, changes: true },
  {
    name: 'pool hashes',
    path: '/get_transaction_pool_hashes',
    body: '{}',
    count: 5,
    changes: true,
  },
  {
    name: 'pool hashes, .bin',
    path: '/get_transaction_pool_hashes.bin',
    body: '{}',
    count: 5,
    changes: true,
  },
  {
    name: "wallet's poll, changes",
    path: '/get_blocks.bin',
    body: () => poll(now() - POLL_SECONDS),
    count: 15,
    changes: true,
  },
  { name: "wallet's poll, whole pool", path: '/get_blocks.bin', body: poll(0), count: 3 },
  { name: 'whole pool as JSON', path: '/get_transaction_pool', body: '{}', count: 1 },
];

/** Makes all calls to a node. `add` adds the next transaction. Returns the figures by name. */
export async function measureCalls(client, add, say) {
  const results = {};
  for (const { name, count, changes = false, ...request } of CALLS) {
    results[name] = await client.measure(count, { ...request, ...(changes && { before: add }) });
    say(`${name}: ${results[name].ms.toFixed(1)} ms, ${results[name].bytes} bytes`);
  }
  return results;
}

/** Mines a block from the node's own template, and asks for the next one. Returns milliseconds and CPU milliseconds of both. */
export async function mineBlock(client) {
  const { result } = JSON.parse(await client.post('/json_rpc', TEMPLATE));
  const submitted = await client.measure(1, {
    path: '/json_rpc',
    body: call('submit_block', [result.blocktemplate_blob]),
  });
  return { submitted, next: await client.measure(1, { path: '/json_rpc', body: TEMPLATE }) };
}
