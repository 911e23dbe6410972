import type { Yielder } from '@monero-node/base';
import { bytesEqual, parseTransaction } from '@monero-node/codec';
import { CountedList } from '@monero-node/codec/portable-storage';
import type { PoolTransaction } from '@monero-node/mempool';
import type { BlockEntry, BlocksRequest } from '@monero-node/rpc-schema';
import { fullBlob } from '../blocks/block-span.ts';
import { commonHeight } from '../blocks/common-height.ts';
import type { RpcContext } from '../context.ts';
import { initTreeSync, whileTreeLasts } from '../outputs/tree-answers.ts';
import type { RpcChain } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_POOL_BODIES, MAX_RESTRICTED_BLOCKS, MAX_RESTRICTED_TRANSACTIONS } from '../limits.ts';
import type { HandlerOf, MethodRows } from '../method.ts';
import { returnedToPool } from '../transactions/visible-pool.ts';

/** Values of `requested_info`; 1 asks for both. */
const BLOCKS_ONLY = 0;
const POOL_ONLY = 2;

const NO_POOL_INFO = 0;
const POOL_CHANGES = 1;
const WHOLE_POOL = 2;

const MAX_BLOCKS = 1000;
const MAX_TRANSACTIONS = 20_000;
const MAX_BYTES = 100 * 1024 * 1024;

/**
 * Returns the next blocks for a wallet and the changes of the pool. Throws RpcStatus for unknown `requested_info`,
 * without a common block, from a height above the chain, and for blocks that were pruned.
 * Source: on_get_blocks in src/rpc/core_rpc_server.cpp.
 */
const getBlocksBin: HandlerOf<'getBlocksBin'> = async (request, context) => {
  const { requested_info: wanted } = request;
  const { chain, now } = context.services;
  const time = { daemon_time: now() };
  if (wanted > POOL_ONLY) throw new RpcStatus('Failed, wrong requested info', time);
  if (wanted === POOL_ONLY && request.init_tree_sync)
    throw new RpcStatus('Failed, must get blocks when requesting init tree sync data', time);
  for (let tries = 1; ; tries++) {
    const { topId } = chain;
    const pool = {
      ...(wanted === BLOCKS_ONLY ? NO_POOL : await poolPart(request, context)),
      ...time,
    };
    const blocks = wanted === POOL_ONLY ? NO_BLOCKS : await blocksOrFail(request, context, pool);
    const hasBoth = wanted !== BLOCKS_ONLY && wanted !== POOL_ONLY;
    // Blocks of a new branch beside the pool of before lack what that branch has undone.
    const isTorn = hasBoth && chain.store.heightOf(topId) === undefined;
    if (!isTorn || tries === MOST_TRIES) return { ...blocks, ...pool };
  }
};

/** So often pool and blocks are read again when a reorganization comes between. */
const MOST_TRIES = 3;

const NO_BLOCKS = { current_height: 0, start_height: 0, top_block_hash: new Uint8Array(0) };
const NO_POOL = { pool_info_extent: NO_POOL_INFO };

/** Throws RpcStatus with the fields `answered` when the chain lacks blocks. */
async function blocksOrFail(request: BlocksRequest, context: RpcContext, answered: object) {
  try {
    const blocks = await blockPart(request, context);
    if (blocks !== undefined) return blocks;
    context.hostFailed();
  } catch (error) {
    // A pruned block is wanted whole: no fault of the client, so it does not count towards a ban.
    if (!(error instanceof RpcStatus)) throw error;
  }
  throw new RpcStatus('Failed', { ...answered });
}

/** Returns undefined when the chain has no block to begin with. */
async function blockPart(request: BlocksRequest, context: RpcContext) {
  const {
    services: { chain, recentSpans },
    yielder,
  } = context;
  const parts = { prune: request.prune, withoutMinerTx: request.no_miner_tx };
  const { block_ids: ids } = request;
  const top = { current_height: chain.height, top_block_hash: chain.topId };
  const [newest] = ids;
  const upToDate = newest !== undefined && bytesEqual(newest, top.top_block_hash);
  if (upToDate) return { ...top, start_height: 0 };
  const start = await startOf(request, context);
  if (start === undefined || request.start_height >= BigInt(chain.height)) return undefined;
  if (start >= chain.height) return { ...top, start_height: start };
  const limits = {
    blocks: blockLimit(request),
    transactions: MAX_TRANSACTIONS,
    bytes: MAX_BYTES,
  };
  const span = await recentSpans.read({ from: start, limits, parts }, yielder);
  const { blocks, indices, keptBytes } = span;
  context.holds(keptBytes);
  const sync = await treeSyncPart(request, context, { start, keptBytes });
  return { ...top, start_height: start, blocks, output_indices: indices, ...sync };
}

/** Throws RpcStatus when a block below is replaced meanwhile. Nothing where the chain keeps no tree. */
async function treeSyncPart(
  { init_tree_sync: isWanted }: BlocksRequest,
  { services: { chain }, yielder, holds }: RpcContext,
  { start, keptBytes }: { readonly start: number; readonly keptBytes: number },
) {
  const tree = chain.treeRoots.outputs;
  if (!isWanted || tree === undefined) return {};
  // Each statement replaces the one before: the blocks are kept as well.
  const onBytes = (bytes: number): void => holds(keptBytes + bytes);
  const work = () => initTreeSync(chain, tree, start, yielder, onBytes);
  return { init_tree_sync_data: await whileTreeLasts(work) };
}

/** Returns the height asked for, or that of the newest block both sides have; undefined when they have none. */
async function startOf(
  request: BlocksRequest,
  { services: { chain }, yielder }: RpcContext,
): Promise<number | undefined> {
  if (request.start_height > 0n) return Number(request.start_height);
  const common = await commonHeight(chain, request.block_ids, yielder);
  if (common === undefined) return undefined;
  return request.block_ids_exclusive ? common + 1 : common;
}

function blockLimit({ max_block_count: asked }: BlocksRequest): number {
  return asked > 0n && asked < BigInt(MAX_BLOCKS) ? Number(asked) : MAX_BLOCKS;
}

async function poolPart(request: BlocksRequest, context: RpcContext) {
  const {
    services: { chain, pool },
    restricted,
    resting,
  } = context;
  await returnedToPool(pool, resting);
  const since = isElsewhere(chain, request) ? 0 : Number(request.pool_info_since);
  const { incremental, added, removed } = await pool.changesSince(since, !restricted);
  const bodies = context.restricted ? MAX_RESTRICTED_TRANSACTIONS : MAX_POOL_BODIES;
  return {
    pool_info_extent: incremental ? POOL_CHANGES : WHOLE_POOL,
    removed_pool_txids: removed,
    added_pool_txs: new CountedList(
      Math.min(added.length, bodies),
      addedEntries(added.slice(0, bodies), request.prune, context.yielder),
    ),
    remaining_added_pool_txids: added.slice(bodies).map((tx) => tx.id),
  };
}

/**
 * Returns whether the newest block of a wallet is not on the main chain. Such a wallet will undo blocks, and gets the whole pool: what they had may have
 * come here before its last question, which another node of a fleet may have answered.
 */
function isElsewhere({ store }: RpcChain, { block_ids: [newest] }: BlocksRequest): boolean {
  return newest !== undefined && store.heightOf(newest) === undefined;
}

async function* addedEntries(
  added: readonly Pick<PoolTransaction, 'id' | 'blob' | 'doubleSpendSeen'>[],
  prune: boolean,
  yielder: Yielder,
) {
  for (const { id, blob, doubleSpendSeen } of added) {
    await yielder.yieldIfDue();
    yield {
      double_spend_seen: doubleSpendSeen,
      tx_blob: prune ? blob.subarray(0, parseTransaction(blob).unprunedSize) : blob,
      tx_hash: id,
    };
  }
}

/**
 * Weight of blocks, which is at least their size in bytes, after which no further one is sent. Without a limit one
 * request of 1 MiB could name 100,000 large blocks.
 */
const MAX_WEIGHT = 512 * 1024 * 1024;

/** Weight of blocks that are read at once and kept until they are sent. */
const HELD_WEIGHT = 1024 * 1024;

/** Memory of a height in a list. */
const BYTES_PER_HEIGHT = 8;

/**
 * Returns whole blocks by height, which are read while they are sent. Throws RpcStatus with the blocks before it for a
 * height above the chain and for the block that exceeds 512 MiB, and for too many heights on a restricted listener.
 */
const getBlocksByHeightBin: HandlerOf<'getBlocksByHeightBin'> = async (
  { heights },
  { services: { chain }, restricted, yielder, holds },
) => {
  if (restricted && heights.length > MAX_RESTRICTED_BLOCKS) {
    throw new RpcStatus('Too many blocks requested in restricted mode');
  }
  const found: number[] = [];
  const limit = BigInt(chain.height);
  const blocks = (): CountedList<BlockEntry> =>
    new CountedList(found.length, entriesAt(chain, found, yielder));
  let weight = 0;
  for (const height of heights) {
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    const meta = height < limit ? chain.store.blockMeta(Number(height)) : undefined;
    if (meta === undefined) {
      throw new RpcStatus(`Error retrieving block at height ${height}`, { blocks: blocks() });
    }
    weight += meta.weight;
    if (weight > MAX_WEIGHT) throw new RpcStatus('Too many blocks requested', { blocks: blocks() });
    found.push(Number(height));
  }
  if (weight <= HELD_WEIGHT) {
    holds(found.length * BYTES_PER_HEIGHT + weight);
    return { blocks: await blocksAt(chain, found, yielder) };
  }
  holds(found.length * BYTES_PER_HEIGHT);
  return { blocks: blocks() };
};

/** Reads a few blocks at once, which takes less time than one by one while they are sent. */
async function blocksAt(
  chain: RpcChain,
  heights: readonly number[],
  yielder: Yielder,
): Promise<BlockEntry[]> {
  const blocks: BlockEntry[] = [];
  for (const height of heights) {
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    blocks.push(entryAt(chain, height));
  }
  return blocks;
}

async function* entriesAt(
  chain: RpcChain,
  heights: readonly number[],
  yielder: Yielder,
): AsyncGenerator<BlockEntry> {
  for (const height of heights) {
    await yielder.yieldIfDue();
    yield entryAt(chain, height);
  }
}

function entryAt({ store }: RpcChain, height: number): BlockEntry {
  const block = store.blockBlob(height);
  if (block === undefined) throw new Error(`block ${height} was removed while it was sent`);
  const txs = store.blockTxs(height).slice(1);
  return { block, txs: txs.flatMap((tx) => fullBlob(tx) ?? []) };
}

const MAX_IDS = 10_000;
const IDS_PER_STEP = 1000;

/**
 * Returns at most 10,000 block ids (32 bytes each), beginning with the newest block that both sides have.
 * `start_height` is not used. Throws RpcStatus without a common block.
 */
const getHashesBin: HandlerOf<'getHashesBin'> = async (
  request,
  { services: { chain }, hostFailed, yielder },
) => {
  const { block_ids: ids } = request;
  const start = await commonHeight(chain, ids, yielder);
  if (start === undefined) {
    hostFailed();
    throw new RpcStatus('Failed', { start_height: request.start_height });
  }
  const blockIds: Uint8Array[] = [];
  for (let from = start; from < start + MAX_IDS; from += IDS_PER_STEP) {
    await yielder.yieldIfDue();
    const metas = chain.store.blockMetas(from, from + IDS_PER_STEP);
    for (const { id } of metas) blockIds.push(id);
  }
  return {
    current_height: chain.height,
    m_block_ids: blockIds,
    start_height: start,
  };
};

export const BLOCK_ROWS = {
  // With the changes of the pool, which take one message.
  getBlocksBin: { handler: getBlocksBin, answeredBy: 'worker', isForwarded: true },
  getBlocksByHeightBin: { handler: getBlocksByHeightBin, answeredBy: 'worker', isForwarded: true },
  getHashesBin: { handler: getHashesBin, answeredBy: 'worker', isForwarded: true },
} satisfies Partial<MethodRows>;
