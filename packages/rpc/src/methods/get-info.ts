import type { HandlerOf } from '../method.ts';
import { rulesFor } from '@monero-node/consensus';
import { wideNumber } from '../encoding/wide-number.ts';

const GIB = 1024 ** 3;
const MAX_U64 = (1n << 64n) - 1n;

/**
 * Returns the state of the chain, the network and the pool. Restricted listeners show defaults in place of private
 * fields.
 */
export const getInfo: HandlerOf<'getInfo'> = async (_request, context) => {
  const { chain, p2p, node, restricted, bootstrap } = context;
  const freeSpace = restricted ? MAX_U64 : await node.freeSpace();
  const { nettype } = chain.network;
  const { top } = chain;
  const weights = chain.weightState();
  const difficulty = wideNumber(chain.nextDifficulty());
  const cumulative = wideNumber(top.cumulativeDifficulty);
  const unlessRestricted = (value: number): number => (restricted ? 0 : value);
  return {
    adjusted_time: chain.adjustedTime(),
    alt_blocks_count: unlessRestricted(chain.store.altBlockCount),
    block_size_limit: weights.limit,
    block_size_median: weights.effectiveMedian,
    block_weight_limit: weights.limit,
    block_weight_median: weights.effectiveMedian,
    bootstrap_daemon_address: restricted ? '' : bootstrap.address,
    busy_syncing: chain.busy,
    cumulative_difficulty: cumulative.low,
    cumulative_difficulty_top64: cumulative.top,
    database_size: databaseSize(chain.store.sizeOnDisk, restricted),
    difficulty: difficulty.low,
    difficulty_top64: difficulty.top,
    free_space: freeSpace,
    grey_peerlist_size: unlessRestricted(p2p.grayCount),
    height: chain.height,
    height_without_bootstrap: unlessRestricted(chain.height),
    incoming_connections_count: unlessRestricted(p2p.incomingCount),
    mainnet: nettype === 'mainnet',
    nettype,
    offline: node.offline,
    outgoing_connections_count: unlessRestricted(p2p.outgoingCount),
    restricted,
    rpc_connections_count: unlessRestricted(context.rpcConnections),
    stagenet: nettype === 'stagenet',
    start_time: unlessRestricted(node.startTime),
    synchronized: p2p.synchronized,
    target: rulesFor(chain.nextVersion()).difficultyTarget,
    target_height: p2p.synchronized ? 0 : p2p.targetHeight,
    testnet: nettype === 'testnet',
    top_block_hash: top.id,
    tx_count: top.cumulativeTxCount,
    tx_pool_size: context.pool.count(!restricted),
    update_available: !restricted && node.updates?.isAvailable === true,
    version: restricted ? '' : node.version,
    was_bootstrap_ever_used: !restricted && bootstrap.everUsed,
    white_peerlist_size: unlessRestricted(p2p.whiteCount),
    wide_cumulative_difficulty: cumulative.wide,
    wide_difficulty: difficulty.wide,
  };
};

/** Restricted callers see it in steps of 5 GiB. */
function databaseSize(bytes: number, restricted: boolean): number {
  return restricted ? Math.ceil(bytes / (5 * GIB)) * 5 * GIB : bytes;
}
