import type { Yielder } from '@monero-node/base';
import { parseTransaction, toHex, transactionToJson } from '@monero-node/codec';
import type { FeeEstimate } from '@monero-node/consensus';
import { poolStats, type PoolTransaction } from '@monero-node/mempool';
import {
  type PoolTransactionAnswer,
  RPC_ERROR,
  type SpentKeyImageAnswer,
} from '@monero-node/rpc-schema';
import type { RpcContext } from '../context.ts';
import type { RpcChain } from '../dependencies.ts';
import { tryHex } from '../encoding/hex.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';
import { type PoolView, returnedToPool, visiblePool } from '../transactions/visible-pool.ts';

/** Memory of a key image and what spends it; its bytes are the pool's. */
const BYTES_PER_KEY_IMAGE = 200;
/** Time of what has not happened. */
const NEVER = (1n << 64n) - 1n;

/** Served restricted too, as 0.18 does; times are hidden there. */
const getTransactionPool: HandlerOf<'getTransactionPool'> = async (_request, context) => {
  await returnedToPool(context.services.pool, context.resting);
  const visible = visiblePool(context);
  const spent = await spentKeyImages(visible, context.yielder);
  context.holds(spent.length * BYTES_PER_KEY_IMAGE);
  return {
    spent_key_images: spent,
    transactions: transactionAnswers(visible, context),
  };
};

async function* transactionAnswers(
  transactions: readonly PoolTransaction[],
  { restricted, yielder }: RpcContext,
): AsyncGenerator<PoolTransactionAnswer> {
  for (const tx of transactions) {
    await yielder.yieldIfDue();
    yield transactionAnswer(tx, restricted);
  }
}

function transactionAnswer(tx: PoolTransaction, restricted: boolean): PoolTransactionAnswer {
  return {
    blob_size: tx.blob.length,
    do_not_relay: tx.doNotRelay,
    double_spend_seen: tx.doubleSpendSeen,
    fee: tx.fee,
    id_hash: tx.id,
    kept_by_block: tx.keptByBlock,
    last_failed_height: tx.lastFailedHeight,
    last_failed_id_hash: tx.lastFailedId,
    last_relayed_time: restricted ? 0 : (tx.lastRelayedTime ?? NEVER),
    max_used_block_hash: tx.maxUsedBlockId,
    max_used_block_height: tx.maxUsedBlockHeight,
    max_used_block_id_hash: tx.maxUsedBlockId,
    receive_time: restricted ? 0 : tx.receiveTime,
    relayed: tx.relayed,
    tx_blob: tx.blob,
    tx_json: transactionToJson(parseTransaction(tx.blob)),
    weight: tx.weight,
  };
}

async function spentKeyImages(
  transactions: readonly PoolTransaction[],
  yielder: Yielder,
): Promise<SpentKeyImageAnswer[]> {
  const spent = new Map<string, { id_hash: Uint8Array; txs_hashes: Uint8Array[] }>();
  for (const tx of transactions) {
    await yielder.yieldIfDue();
    for (const keyImage of tx.keyImages) {
      const entry = spent.get(toHex(keyImage)) ?? { id_hash: keyImage, txs_hashes: [] };
      entry.txs_hashes.push(tx.id);
      spent.set(toHex(keyImage), entry);
    }
  }
  return [...spent.values()];
}

/** Transactions between two looks at the clock. */
const STEP = 256;

/** Returns the 32-byte ids of the pool transactions that the caller may see. */
async function visibleIds(
  view: PoolView & Pick<RpcContext, 'yielder' | 'resting'>,
): Promise<Uint8Array[]> {
  await returnedToPool(view.services.pool, view.resting);
  const ids: Uint8Array[] = [];
  for (const [i, tx] of visiblePool(view).entries()) {
    if (i % STEP === 0) await view.yielder.yieldIfDue();
    ids.push(tx.id);
  }
  return ids;
}

/** Returns the ids as hex. */
const getTransactionPoolHashes: HandlerOf<'getTransactionPoolHashes'> = async (
  _request,
  context,
) => ({ tx_hashes: await visibleIds(context) });

/** Returns the ids as raw bytes in one JSON string; despite its name it takes and returns JSON. */
const getTransactionPoolHashesBin: HandlerOf<'getTransactionPoolHashesBin'> = async (
  _request,
  context,
) => ({ tx_hashes: await visibleIds(context) });

/** Returns figures on the pool transactions that the caller may see: weights, ages in seconds, fees in atomic units. */
const getTransactionPoolStats: HandlerOf<'getTransactionPoolStats'> = async (_request, context) => {
  await returnedToPool(context.services.pool, context.resting);
  const stats = await poolStats(visiblePool(context), context.services.now(), context.yielder);
  return {
    pool_stats: {
      bytes_max: stats.weightMax,
      bytes_med: stats.weightMedian,
      bytes_min: stats.weightMin,
      bytes_total: stats.weightTotal,
      fee_total: stats.feeTotal,
      histo: stats.histogram.map(({ weight, count }) => ({ bytes: weight, txs: count })),
      histo_98pc: stats.age98,
      num_10m: stats.olderThanTenMinutes,
      num_double_spends: stats.doubleSpends,
      num_failing: stats.failing,
      num_not_relayed: stats.notRelayed,
      oldest: stats.oldest,
      txs_total: stats.count,
    },
  };
};

/** Bytes of an entry: weight, fee and time, each as 64-bit little-endian. */
const ENTRY_SIZE = 24;

/**
 * Only what the public knows, restricted or not. The time is the age in seconds; 0 on a restricted listener. (0.18.0.0
 * sends the time of arrival minus now, a negative number.)
 */
const getTxpoolBacklog: HandlerOf<'getTxpoolBacklog'> = async (
  _request,
  { services, restricted, resting, yielder },
) => {
  await returnedToPool(services.pool, resting);
  const transactions = visiblePool({ services, restricted: true });
  const now = services.now();
  const backlog = new Uint8Array(transactions.length * ENTRY_SIZE);
  const view = new DataView(backlog.buffer);
  let at = 0;
  for (const { weight, fee, receiveTime } of transactions) {
    if (at % (STEP * ENTRY_SIZE) === 0) await yielder.yieldIfDue();
    view.setUint32(at, weight, true);
    view.setBigUint64(at + 8, fee, true);
    const age = restricted ? 0 : now - receiveTime;
    view.setInt32(at + 16, age, true);
    view.setInt32(at + 20, Math.floor(age / 2 ** 32), true);
    at += ENTRY_SIZE;
  }
  return { backlog: backlog.length > 0 ? backlog : undefined };
};

/**
 * Returns the fees per byte that wallets should pay, in atomic units. Throws JsonRpcError for too many grace blocks.
 */
const getFeeEstimate: HandlerOf<'getFeeEstimate'> = (request, { services: { chain } }) => {
  const estimate = estimateOf(chain, request.grace_blocks);
  return {
    fee: estimate.fee,
    fees: estimate.fees,
    quantization_mask: estimate.quantizationMask,
  };
};

/** Too many grace blocks are refused without code or message, as monerod does. */
function estimateOf(chain: RpcChain, graceBlocks: bigint): FeeEstimate {
  try {
    return chain.feeEstimate(Number(graceBlocks));
  } catch (error) {
    if (error instanceof RangeError) throw new JsonRpcError(RPC_ERROR.none, '');
    throw error;
  }
}

/**
 * Removes transactions from the pool, or all of them. Ids that are not in the pool are not an error. Throws RpcStatus
 * for text that is not a 32-byte id in hex.
 * Source: on_flush_txpool in src/rpc/core_rpc_server.cpp.
 */
const flushTxpool: HandlerOf<'flushTxpool'> = async ({ txids }, { services: { transactions } }) => {
  const ids = txids.map(tryHex).filter((id) => id?.length === 32) as Uint8Array[];
  await transactions?.flush(txids.length === 0 ? undefined : ids);
  if (ids.length === txids.length) return {};
  throw new RpcStatus(
    ids.length === 0 ? 'Failed to parse txid' : 'Failed to parse some of the txids',
  );
};

export const POOL_ROWS = {
  getTransactionPool: { handler: getTransactionPool, answeredBy: 'main', isForwarded: true },
  getTransactionPoolHashes: {
    handler: getTransactionPoolHashes,
    answeredBy: 'main',
    isForwarded: true,
  },
  getTransactionPoolHashesBin: {
    handler: getTransactionPoolHashesBin,
    answeredBy: 'main',
    isForwarded: true,
  },
  getTransactionPoolStats: {
    handler: getTransactionPoolStats,
    answeredBy: 'main',
    isForwarded: true,
  },
  getTxpoolBacklog: { handler: getTxpoolBacklog, answeredBy: 'main', isForwarded: true },
  getFeeEstimate: { handler: getFeeEstimate, answeredBy: 'worker', isForwarded: true },
  flushTxpool: { handler: flushTxpool, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
