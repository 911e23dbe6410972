// The calls that the RPC bench measures.
import { seededRandom } from '@monero-node/base';
import { encodeMessage } from '@monero-node/codec/portable-storage';
import { METHOD_SCHEMAS } from '@monero-node/rpc-schema';
import { present } from '../values.mjs';

/**
 * @import { Kind } from '@monero-node/rpc-schema'
 * @import { BlockHeader } from '../answers.d.ts'
 * @import { Daemon } from '../nodes.mjs'
 */
/**
 * A call that is measured: requests with these bodies, by turns.
 *
 * @typedef {{ name: string, path: string, bodies: Buffer[] }} Call
 */
/**
 * @typedef {'getBlocksBin' | 'getBlocksByHeightBin' | 'getOutsBin' | 'getOutputDistributionBin'} BinaryMethod
 */
/**
 * The request of a method.
 *
 * @template {BinaryMethod} M
 * @typedef {NonNullable<(typeof METHOD_SCHEMAS)[M]['phantom']>['request']} RequestOf
 */
/**
 * Returns a number from 0 to below the end.
 *
 * @typedef {(end: number) => number} Below
 */

const BLOCKS = 100;
const TRANSACTIONS = 10;
const OUTPUTS = 100;
/** Different requests of a call with random parameters: more than our daemon keeps answers for. */
const VARIANTS = 2000;
/** Different requests of the call that is answered fastest. */
const MANY_VARIANTS = 20_000;

/** @param {object} value */
const json = (value) => Buffer.from(JSON.stringify(value));
/** @type {(method: string, params?: object, id?: string | number) => Buffer} */
const rpc = (method, params, id = '0') => json({ jsonrpc: '2.0', id, method, params });

/**
 * Returns a portable storage request of a method.
 *
 * @template {BinaryMethod} M
 * @param {M} method
 * @param {RequestOf<M>} request
 */
function binary(method, request) {
  /** @type {{ request: Kind }} */
  const { request: kind } = METHOD_SCHEMAS[method];
  if (kind.kind !== 'object') throw new Error(`${method} takes no object`);
  return Buffer.from(encodeMessage(kind.table, request));
}

/**
 * Returns the calls, with parameters that fit the chain of a node.
 *
 * @param {Daemon} node
 * @returns {Promise<Call[]>}
 */
export async function callsFor(node) {
  const { height } = await node.info();
  const range = { start_height: 0, end_height: height - 1 };
  const { headers } = await node.rpc.call('get_block_headers_range', range);
  const hashes = await transactionIds(node, headers);
  const random = seededRandom(1);
  /** @type {Below} */
  const below = (end) => Math.floor(random() * end);
  /**
   * @template T
   * @param {() => T} make
   */
  const variants = (make) => Array.from({ length: VARIANTS }, make);
  const tenTransactions = () => variants(() => shuffled(hashes, below).slice(0, TRANSACTIONS));
  const genesis = Buffer.from(present(headers[0]).hash, 'hex');
  /** @param {number} start height */
  const blocksFrom = (start) =>
    binary('getBlocksBin', {
      requested_info: 0,
      block_ids: [genesis],
      start_height: BigInt(start),
      prune: true,
      no_miner_tx: false,
      pool_info_since: 0n,
      max_block_count: 0n,
      block_ids_exclusive: false,
    });
  /** @param {boolean} cumulative */
  const distribution = (cumulative) => ({
    amounts: [0n],
    binary: true,
    compress: false,
    cumulative,
    from_height: 0n,
    to_height: BigInt(height - 1),
  });
  return [
    { name: 'get_info', path: '/json_rpc', bodies: [rpc('get_info')] },
    {
      name: 'header by height (one)',
      path: '/json_rpc',
      bodies: [rpc('get_block_header_by_height', { height: 700 })],
    },
    {
      name: 'header by height',
      path: '/json_rpc',
      // No two requests are equal, so that no answer can be kept for the next one.
      bodies: Array.from({ length: MANY_VARIANTS }, (_, i) =>
        rpc('get_block_header_by_height', { height: below(height) }, i),
      ),
    },
    {
      name: `get_transactions (${TRANSACTIONS})`,
      path: '/get_transactions',
      bodies: tenTransactions().map((ids) => json({ txs_hashes: ids })),
    },
    {
      name: 'the same as JSON',
      path: '/get_transactions',
      bodies: tenTransactions().map((ids) => json({ txs_hashes: ids, decode_as_json: true })),
    },
    {
      name: `getblocks.bin (${BLOCKS})`,
      path: '/getblocks.bin',
      bodies: [blocksFrom(height - BLOCKS)],
    },
    {
      name: `blocks_by_height.bin (${BLOCKS})`,
      path: '/get_blocks_by_height.bin',
      bodies: Array.from({ length: 100 }, () => {
        const heights = Array.from({ length: BLOCKS }, () => BigInt(below(height)));
        return binary('getBlocksByHeightBin', { heights });
      }),
    },
    {
      name: `get_outs.bin (${OUTPUTS})`,
      path: '/get_outs.bin',
      bodies: Array.from({ length: 100 }, () => {
        const outputs = Array.from({ length: OUTPUTS }, () => ({
          amount: 0n,
          index: BigInt(below(height - 100)),
        }));
        return binary('getOutsBin', { outputs, get_txid: true });
      }),
    },
    {
      name: 'output distribution',
      path: '/get_output_distribution.bin',
      bodies: [binary('getOutputDistributionBin', distribution(false))],
    },
  ];
}

/**
 * Returns the ids of the transactions, other than those of miners, in the blocks with these headers.
 *
 * @param {Daemon} node
 * @param {readonly BlockHeader[]} headers
 */
async function transactionIds(node, headers) {
  /** @type {string[]} */
  const ids = [];
  for (const { hash, num_txes: count } of headers) {
    if (count > 0) ids.push(...((await node.rpc.call('get_block', { hash })).tx_hashes ?? []));
  }
  return ids;
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {Below} below
 */
function shuffled(items, below) {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [mixed[i], mixed[j]] = [present(mixed[j]), present(mixed[i])];
  }
  return mixed;
}
