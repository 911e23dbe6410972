import { treeFieldAt } from '@monero-node/blockchain';
import { bytesEqual } from '@monero-node/codec';
import { isRandomxAlgorithm, powRuleOf } from '@monero-node/consensus';
import type { PoolTransaction } from '@monero-node/mempool';
import { seedHeight } from '@monero-node/pow';
import type { RpcChain } from '../dependencies.ts';
import type { RpcPool } from '../pool.ts';

/**
 * Resolves to the data of the next block for miners that build their own blocks; undefined when the seed block or the curve tree
 * that the block commits to is not known.
 */
export async function minerData(chain: RpcChain, pool: RpcPool) {
  const backlog = await backlogAtTip(chain, pool);
  const { top } = chain;
  const version = chain.nextVersion();
  const field = treeFieldAt(chain.treeRoots, version, { height: chain.height, prevId: top.id });
  if (field === undefined) return undefined;
  const isSeeded = isRandomxAlgorithm(powRuleOf(chain.network, version).algorithm);
  const seed = isSeeded ? chain.store.blockMeta(seedHeight(chain.height))?.id : new Uint8Array(32);
  if (seed === undefined) return undefined;
  return {
    already_generated_coins: top.generatedCoins,
    difficulty: `0x${chain.nextDifficulty().toString(16)}`,
    fcmp_pp_n_tree_layers: field.tree?.layers,
    fcmp_pp_tree_root: field.tree?.root,
    height: chain.height,
    major_version: version,
    median_weight: chain.weightState().effectiveMedian,
    prev_id: top.id,
    seed_hash: seed,
    tx_backlog: backlog.map(({ fee, id, weight }) => ({ fee, id, weight })),
  };
}

/** Resolves to the backlog of the present tip. The chain may move while transactions are looked at. */
async function backlogAtTip(chain: RpcChain, pool: RpcPool): Promise<readonly PoolTransaction[]> {
  for (let attempt = 1; ; attempt++) {
    const { id } = chain.top;
    const backlog = await pool.templateBacklog();
    if (bytesEqual(id, chain.top.id) || attempt === ATTEMPTS) return backlog;
  }
}

/** While blocks come faster than the backlog is made, the last attempt counts. */
const ATTEMPTS = 5;
