import type { Yielder } from '@monero-node/base';
import type { TreeOutputs } from '@monero-node/blockchain';
import type { LeafPath, TreePaths } from '@monero-node/curve-tree';
import type {
  InitTreeSync,
  PathEntryAnswer,
  TreeOutputsAnswer,
  TreePathAnswer,
} from '@monero-node/rpc-schema';
import type { TreeOutput } from '@monero-node/storage';
import type { RpcChain } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';

// What is told of the curve tree, in the form of upstream's answers. Sources: on_get_path_by_unified_id_bin and set_init_tree_sync_data in
// src/rpc/core_rpc_server.cpp.

/** As upstream numbers them. */
const OUTPUT_TYPES = { legacy: 0, carrot: 1 };

/** Memory of an output in an answer. */
const BYTES_PER_OUTPUT = 400;

/** Resolves as work on a tree does. Throws RpcStatus where that throws RangeError: the chain does not have the tree, or not any more. */
export async function whileTreeLasts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw new RpcStatus('Failed');
    throw error;
  }
}

function outputsAnswer(outputs: readonly TreeOutput[]): TreeOutputsAnswer {
  const types = Uint8Array.from(outputs, ({ kind }) => OUTPUT_TYPES[kind]);
  return {
    commitments: outputs.map(({ commitment }) => commitment),
    output_pubkeys: outputs.map(({ key }) => key),
    output_types: types.length === 0 ? undefined : types,
    unified_ids: outputs.map(({ unifiedId }) => unifiedId),
  };
}

const NO_PATH: TreePathAnswer = { leaves: outputsAnswer([]) };

function pathAnswer({ leaves, layers }: LeafPath): TreePathAnswer {
  return {
    layer_chunks: layers.map((elems) => ({ elems })),
    leaves: outputsAnswer(leaves),
  };
}

/**
 * Returns the path of a leaf; that of an output without one is empty, and its place 0. Throws RangeError when the tree has changed.
 *
 * @param place of the leaf; undefined without one
 */
export function pathEntry(paths: TreePaths, place: number | undefined): PathEntryAnswer {
  if (place === undefined) return { leaf_idx: 0, path: NO_PATH };
  return { leaf_idx: place, path: pathAnswer(paths.pathAt(place)) };
}

/**
 * Resolves with what a wallet needs to follow the tree that it gets blocks for from a height on: the state at the block below. Throws RangeError
 * when the chain does not have that block, or gets another one meanwhile.
 *
 * @param onBytes called with the memory that the answer takes so far, before it takes more: it may throw, to end this
 */
export async function initTreeSync(
  { store }: Pick<RpcChain, 'store'>,
  tree: TreeOutputs,
  startHeight: number,
  yielder: Yielder,
  onBytes: (bytes: number) => void,
): Promise<InitTreeSync> {
  const height = Math.max(0, startHeight - 1);
  const locked = await tree.lockedAt(height, yielder, (count) => onBytes(count * BYTES_PER_OUTPUT));
  const paths = tree.pathsAt(height);
  const meta = store.blockMeta(height);
  if (meta === undefined) throw new RangeError(`block ${height} was removed`);
  return {
    init_block_hash: meta.id,
    init_block_idx: height,
    last_path: paths.leaves === 0 ? NO_PATH : pathAnswer(paths.pathAt(paths.leaves - 1)),
    locked_outputs: locked.map(({ entersAt, outputs }) => ({
      last_locked_block: entersAt,
      outputs: outputsAnswer(outputs),
    })),
    n_leaf_tuples: paths.leaves,
  };
}
