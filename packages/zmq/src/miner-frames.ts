import { EMPTY_TREE, treeFieldAt, type AddedBlock } from '@monero-node/blockchain';
import { type CurveTreeRoot, type JsonValue, toHex } from '@monero-node/codec';
import { formatsOf, isRandomxAlgorithm, powRuleOf, versionAtHeight } from '@monero-node/consensus';
import { fillBacklog, type PoolTransaction } from '@monero-node/mempool';
import { seedHeight } from '@monero-node/pow';
import type { RpcChain } from '@monero-node/rpc/shared';

/** The data that a miner needs for the block after a given one, except the transactions. */
export interface MinerFrame {
  /** Of the block to be mined. */
  readonly height: number;
  /** 32 bytes, as the seed hash. */
  readonly prevId: Uint8Array;
  readonly majorVersion: number;
  readonly seedHash: Uint8Array;
  readonly difficulty: bigint;
  readonly medianWeight: number;
  /** The curve tree that the block commits to, the empty one below version 17; undefined on networks that have no height for 17. */
  readonly tree: CurveTreeRoot | undefined;
  /** Atomic units. */
  readonly generatedCoins: bigint;
}

/**
 * Returns for each of the newest blocks of the main chain, lowest first, what held for the block after it. Reads the chain
 * as it is now: call it before it moves. An entry is undefined when the seed block or the curve tree is not known.
 */
export function framesAfter(
  blocks: readonly AddedBlock[],
  chain: Pick<RpcChain, 'network' | 'store' | 'nextDifficulty' | 'treeRoots'>,
): (MinerFrame | undefined)[] {
  return blocks.map(({ height: below, meta, nextMedianWeight }, at) => {
    const height = below + 1;
    const majorVersion = versionAtHeight(chain.network, height);
    const field = treeFieldAt(chain.treeRoots, majorVersion, { height, prevId: meta.id });
    if (field === undefined) return undefined;
    const isSeeded = isRandomxAlgorithm(powRuleOf(chain.network, majorVersion).algorithm);
    const seedHash = isSeeded ? chain.store.blockMeta(seedHeight(height))?.id : new Uint8Array(32);
    if (seedHash === undefined) return undefined;
    const next = blocks[at + 1]?.meta;
    const difficulty =
      next === undefined
        ? chain.nextDifficulty()
        : next.cumulativeDifficulty - meta.cumulativeDifficulty;
    return {
      height,
      prevId: meta.id,
      majorVersion,
      tree: formatsOf(chain.network) === 'fcmp' ? (field.tree ?? EMPTY_TREE) : undefined,
      seedHash,
      difficulty,
      medianWeight: nextMedianWeight,
      generatedCoins: meta.generatedCoins,
    };
  });
}

/** Returns the message for a frame and its transactions. The fields of the tree are in it as `tree` says. Source: src/rpc/zmq_pub.cpp. */
export function minerDataJson(frame: MinerFrame, backlog: readonly PoolTransaction[]): JsonValue {
  const { tree } = frame;
  const treeFields = tree && {
    fcmp_pp_n_tree_layers: tree.layers,
    fcmp_pp_tree_root: toHex(tree.root),
  };
  return {
    major_version: frame.majorVersion,
    height: frame.height,
    prev_id: toHex(frame.prevId),
    ...treeFields,
    seed_hash: toHex(frame.seedHash),
    difficulty: `0x${frame.difficulty.toString(16)}`,
    median_weight: frame.medianWeight,
    already_generated_coins: frame.generatedCoins,
    tx_backlog: backlog.map(({ id, weight, fee }) => ({ id: toHex(id), weight, fee })),
  };
}

/**
 * Resolves to the backlog as it was before some of its transactions were mined: `backlog`, ordered as the pool does, with
 * `mined` in their places.
 *
 * @param medianWeight of the block that the backlog is for
 */
export async function backlogBefore(
  backlog: readonly PoolTransaction[],
  mined: readonly PoolTransaction[],
  medianWeight: number,
): Promise<readonly PoolTransaction[]> {
  if (mined.length === 0) return backlog;
  const all = [...backlog, ...mined];
  const rate = ({ fee, weight }: PoolTransaction): number => Number(fee) / Math.max(1, weight);
  return fillBacklog(
    {
      byId: () => all.toSorted((a, b) => compareIds(a.id, b.id)),
      byFee: () => all.toSorted((a, b) => rate(b) - rate(a)),
    },
    medianWeight,
    () => true,
  );
}

/** Compares ids of 32 bytes as monerod's database does: the last byte first. */
function compareIds(a: Uint8Array, b: Uint8Array): number {
  for (let at = a.length - 1; at >= 0; at--) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
