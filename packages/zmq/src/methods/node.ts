import { toHex } from '@monero-node/codec';
import { rulesFor } from '@monero-node/consensus';
import { forkInfo, wideNumber } from '@monero-node/rpc/shared';
import { defineZmqMethod, NOT_SERVED, ZMQ_RPC_VERSION, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';

export const getRpcVersion = defineZmqMethod({
  name: 'get_rpc_version',
  params: {},
  handler: () => ({ version: ZMQ_RPC_VERSION }),
});

/** `nettype` is always empty: monerod never fills it in and identifies the network by three flags. */
export const getInfo = defineZmqMethod({
  name: 'get_info',
  params: {},
  handler: (_params, { services: { chain, p2p, node, pool }, restricted }) => {
    const { top } = chain;
    const { nettype } = chain.network;
    const weights = chain.weightState();
    const difficulty = wideNumber(chain.nextDifficulty());
    const cumulative = wideNumber(top.cumulativeDifficulty);
    const unlessRestricted = (value: number): number => (restricted ? 0 : value);
    return {
      info: {
        height: chain.height,
        target_height: Math.max(chain.height, p2p.targetHeight),
        top_block_height: chain.height - 1,
        difficulty: difficulty.low,
        difficulty_top64: difficulty.top,
        target: rulesFor(chain.nextVersion()).difficultyTarget,
        tx_count: top.cumulativeTxCount,
        tx_pool_size: pool.count(!restricted),
        alt_blocks_count: unlessRestricted(chain.store.altBlockCount),
        outgoing_connections_count: unlessRestricted(p2p.outgoingCount),
        incoming_connections_count: unlessRestricted(p2p.incomingCount),
        white_peerlist_size: unlessRestricted(p2p.whiteCount),
        grey_peerlist_size: unlessRestricted(p2p.grayCount),
        mainnet: nettype === 'mainnet',
        testnet: nettype === 'testnet',
        stagenet: nettype === 'stagenet',
        nettype: '',
        top_block_hash: toHex(top.id),
        cumulative_difficulty: cumulative.low,
        cumulative_difficulty_top64: cumulative.top,
        block_size_limit: weights.limit,
        block_weight_limit: weights.limit,
        block_size_median: weights.effectiveMedian,
        block_weight_median: weights.effectiveMedian,
        adjusted_time: chain.adjustedTime(),
        start_time: unlessRestricted(node.startTime),
        version: restricted ? '' : node.version,
      },
    };
  },
});

export const hardForkInfo = defineZmqMethod({
  name: 'hard_fork_info',
  params: { version: read.u8 },
  handler: async ({ version: asked }, context) => {
    const found = await forkInfo(asked, context.services, context.yielder);
    return {
      info: {
        version: found.version,
        enabled: found.enabled,
        window: found.window,
        votes: found.votes,
        threshold: found.threshold,
        voting: found.voting,
        state: found.state,
        earliest_height: found.earliest_height,
      },
    };
  },
});

/** Blocks after which a fee estimate can't look further ahead. */
const MAX_GRACE_BLOCKS = 99n;

export const getDynamicFeeEstimate = defineZmqMethod({
  name: 'get_dynamic_fee_estimate',
  params: { num_grace_blocks: read.u64 },
  handler: ({ num_grace_blocks: asked }, { services: { chain } }) => {
    const grace = Number(asked < MAX_GRACE_BLOCKS ? asked : MAX_GRACE_BLOCKS);
    const { fee, fees, quantizationMask } = chain.feeEstimate(grace);
    return {
      fees: [...fees],
      estimated_base_fee: fee,
      fee_mask: quantizationMask,
      size_scale: 1,
      hard_fork_version: chain.nextVersion(),
    };
  },
});

export const getPeerList = defineZmqMethod({
  name: 'get_peer_list',
  restricted: 'hidden',
  params: {},
  handler: () => {
    throw new ZmqFailure(NOT_SERVED);
  },
});

export const saveBlockchain = defineZmqMethod({
  name: 'save_bc',
  restricted: 'hidden',
  params: {},
  handler: async (_params, { services: { node, logger } }) => {
    try {
      await node.flush();
    } catch (error) {
      logger.error(`save_bc failed: ${String(error)}`);
      throw new ZmqFailure('Error storing the blockchain');
    }
    return {};
  },
});

const MAX_LOG_LEVEL = 4;

export const setLogLevel = defineZmqMethod({
  name: 'set_log_level',
  restricted: 'hidden',
  params: { level: read.i8 },
  handler: ({ level }, context) => {
    if (level < 0 || level > MAX_LOG_LEVEL) throw new ZmqFailure('Error: log level not valid');
    if (context.setLogLevel === undefined) throw new ZmqFailure(NOT_SERVED);
    context.setLogLevel(level);
    return {};
  },
});
