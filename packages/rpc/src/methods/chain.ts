import { parsePrunedTransaction, toHex } from '@monero-node/codec';
import { feeOf } from '@monero-node/consensus';
import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { AltBlock } from '@monero-node/storage';
import { alternativeBlocks } from '../blocks/alternative-blocks.ts';
import { checkedHeight } from '../blocks/block-header.ts';
import { forkInfo } from '../blocks/fork-info.ts';
import type { RpcChain } from '../dependencies.ts';
import { wideNumber } from '../encoding/wide-number.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';

/** Returns the height of the chain, in blocks. */
const getBlockCount: HandlerOf<'getBlockCount'> = (_items, { services: { chain } }) => ({
  count: chain.height,
});

/** Returns the height of the chain, in blocks, and the 32-byte id of its top block. */
const getHeight: HandlerOf<'getHeight'> = (_request, { services: { chain } }) => ({
  hash: chain.topId,
  height: chain.height,
});

/**
 * Returns the 32-byte id of the main-chain block at a height. Throws JsonRpcError unless the request is one height
 * within the chain.
 */
const onGetBlockHash: HandlerOf<'onGetBlockHash'> = (items, { services: { chain } }) => {
  const [height] = items;
  if (height === undefined || items.length !== 1) {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Wrong parameters, expected height');
  }
  const meta = chain.store.blockMeta(checkedHeight(chain, height));
  if (meta === undefined) throw new JsonRpcError(RPC_ERROR.internal, 'Internal error');
  return meta.id;
};

/** 3.16, the interface of release 0.18.5.1. Clients test the major part only. */
const RPC_VERSION = (3 << 16) | 16;

/** Returns the version of the RPC, the heights of the hard forks and the height of the chain. */
const getVersion: HandlerOf<'getVersion'> = (_request, { services: { chain, p2p, node } }) => ({
  current_height: chain.height,
  hard_forks: chain.network.hardForks.map(({ height, version }) => ({
    height,
    hf_version: version,
  })),
  // Anything else behind a dash marks a build that is no release.
  release: !node.version.replace(/-release$/, '').includes('-'),
  target_height: p2p.synchronized ? 0 : p2p.targetHeight,
  version: RPC_VERSION,
});

/** Returns the state of a hard fork; version 0 means the next fork. */
const hardForkInfo: HandlerOf<'hardForkInfo'> = (request, context) =>
  forkInfo(request.version, context.services, context.yielder);

/**
 * Returns the alternative chains. `block_hash` and `height` are those of the tip; `block_hashes` run from it down to
 * the fork. Throws RpcStatus when a chain has no parent block on the main chain.
 */
const getAlternateChains: HandlerOf<'getAlternateChains'> = async (
  _request,
  { services: { chain }, yielder },
) => {
  const blocks = alternativeBlocks(chain);
  const byId = new Map(blocks.map((block) => [toHex(block.id), block]));
  const parents = new Set(blocks.map((block) => toHex(block.prevId)));
  const chains = [];
  for (const tip of blocks) {
    await yielder.yieldIfDue();
    if (parents.has(toHex(tip.id))) continue;
    const branch = branchOf(tip, byId);
    const difficulty = wideNumber(tip.cumulativeDifficulty);
    const parent = chain.store.blockMeta(tip.height - branch.length);
    if (parent === undefined) {
      throw new RpcStatus('Error finding alternate chain attachment point');
    }
    chains.push({
      block_hash: tip.id,
      block_hashes: branch.map((block) => block.id),
      difficulty: difficulty.low,
      difficulty_top64: difficulty.top,
      height: tip.height,
      length: branch.length,
      main_chain_parent_block: parent.id,
      wide_difficulty: difficulty.wide,
    });
  }
  return { chains };
};

/** From the tip down to the first block off the main chain. */
function branchOf(tip: AltBlock, byId: ReadonlyMap<string, AltBlock>): AltBlock[] {
  const branch: AltBlock[] = [];
  for (
    let block: AltBlock | undefined = tip;
    block !== undefined;
    block = byId.get(toHex(block.prevId))
  ) {
    branch.push(block);
  }
  return branch;
}

/** Served restricted too, as 0.18 does. */
const getAltBlocksHashes: HandlerOf<'getAltBlocksHashes'> = (
  _request,
  { services: { chain } },
) => ({
  blks_hashes: alternativeBlocks(chain).map((block) => block.id),
});

/**
 * Returns the coins emitted and the fees paid in a range of blocks, in atomic units. Throws RpcStatus when the start or
 * the number of blocks exceeds the chain.
 */
const getCoinbaseTxSum: HandlerOf<'getCoinbaseTxSum'> = async (
  request,
  { services: { chain }, yielder },
) => {
  const chainHeight = BigInt(chain.height);
  if (request.height >= chainHeight || request.count > chainHeight) {
    throw new RpcStatus('height or count is too large');
  }
  const end = request.height + request.count;
  const last = Number(end < chainHeight ? end : chainHeight);
  let emission = 0n;
  let fees = 0n;
  for (let height = Number(request.height); height < last; height++) {
    await yielder.yieldIfDue();
    const block = blockSums(chain, height);
    emission += block.coinbase - block.fees;
    fees += block.fees;
  }
  const wideEmission = wideNumber(emission);
  const wideFees = wideNumber(fees);
  return {
    emission_amount: wideEmission.low,
    emission_amount_top64: wideEmission.top,
    fee_amount: wideFees.low,
    fee_amount_top64: wideFees.top,
    wide_emission_amount: wideEmission.wide,
    wide_fee_amount: wideFees.wide,
  };
};

/** Returns the outputs of the coinbase and the fees among them, atomic units. */
function blockSums(chain: RpcChain, height: number): { coinbase: bigint; fees: bigint } {
  const [minerTx, ...others] = chain.store.blockTxs(height);
  if (minerTx === undefined) return { coinbase: 0n, fees: 0n };
  // Before fork 12 a coinbase may have a prunable part, which is stored apart.
  const { tx } = parsePrunedTransaction(minerTx.pruned, minerTx.prunableHash);
  return {
    coinbase: tx.outputs.reduce((sum, output) => sum + output.amount, 0n),
    fees: others.reduce(
      (sum, stored) => sum + feeOf(parsePrunedTransaction(stored.pruned, stored.prunableHash)),
      0n,
    ),
  };
}

/** Removes blocks from the top of the chain, the genesis block excepted. Returns the new height. */
const popBlocks: HandlerOf<'popBlocks'> = async ({ nblocks }, { services: { chain, pool } }) => {
  const removable = BigInt(chain.height - 1);
  const height = await chain.popBlocks(Number(nblocks < removable ? nblocks : removable));
  // Whoever asks next finds their transactions in the pool.
  await pool.idle();
  return { height };
};

/**
 * Prunes the chain irreversibly, however short; with `check` it only checks the pruning. Throws JsonRpcError when the
 * check fails.
 */
const pruneBlockchain: HandlerOf<'pruneBlockchain'> = async (
  { check },
  { services: { chain } },
) => {
  if (check) {
    const good = await chain.checkPruning();
    if (!good) throw new JsonRpcError(RPC_ERROR.internal, 'Failed to check blockchain pruning');
  } else {
    await chain.prune();
  }
  const seed = chain.pruningSeed;
  return { pruned: seed !== 0, pruning_seed: seed };
};

/** Forgets the blocks known to be invalid, when asked to. */
const flushCache: HandlerOf<'flushCache'> = (request, { services: { chain } }) => {
  if (request.bad_blocks) chain.forgetInvalidBlocks();
  return {};
};

export const CHAIN_ROWS = {
  getBlockCount: { handler: getBlockCount, answeredBy: 'worker' },
  getHeight: { handler: getHeight, answeredBy: 'worker', isForwarded: true },
  onGetBlockHash: { handler: onGetBlockHash, answeredBy: 'worker' },
  getVersion: { handler: getVersion, answeredBy: 'worker', isForwarded: true },
  hardForkInfo: { handler: hardForkInfo, answeredBy: 'worker', isForwarded: true },
  getAlternateChains: { handler: getAlternateChains, answeredBy: 'worker' },
  getAltBlocksHashes: { handler: getAltBlocksHashes, answeredBy: 'worker', isForwarded: true },
  getCoinbaseTxSum: { handler: getCoinbaseTxSum, answeredBy: 'worker' },
  popBlocks: { handler: popBlocks, answeredBy: 'main' },
  pruneBlockchain: { handler: pruneBlockchain, answeredBy: 'main' },
  flushCache: { handler: flushCache, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
