import { toHex } from '@monero-node/codec';
import { versionAtHeight, type Checkpoint, type Network } from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';

/** Blocks below a violated checkpoint that are given up with it (upstream check_against_checkpoints). */
const CHECKPOINT_MARGIN = 2;

/** The checkpoints, out of `points`, that the stored chain has reached and contradicts. */
export function contradicted(store: ChainReader, points: readonly Checkpoint[]): Checkpoint[] {
  return points.filter(({ height, id }) => {
    const stored = store.blockMeta(height)?.id;
    return stored !== undefined && toHex(stored) !== id;
  });
}

/**
 * Number of blocks of the stored chain that can be kept: those below the first violated checkpoint, and
 * without blocks on top that carry another version than their height demands (the fork table has grown
 * since they were stored).
 */
export function heightToKeep(store: ChainReader, network: Network): number {
  const [first] = contradicted(store, network.checkpoints);
  let height = store.height;
  if (first !== undefined) height = Math.max(1, first.height - CHECKPOINT_MARGIN);
  for (; height > 1; height--) {
    const version = store.blockMeta(height - 1)?.majorVersion;
    const ideal = versionAtHeight(network, height - 1);
    if (ideal <= 1 || version === ideal) break;
  }
  return height;
}
