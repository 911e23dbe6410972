import { toHex } from '@monero-node/codec';
import { versionAtHeight, type Checkpoint, type Network } from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';

/** Blocks dropped below a violated checkpoint. Source: check_against_checkpoints in src/cryptonote_core/blockchain.cpp. */
const CHECKPOINT_MARGIN = 2;

/** Returns the checkpoints among `points` that the stored chain has reached and contradicts. */
export function contradicted(store: ChainReader, points: readonly Checkpoint[]): Checkpoint[] {
  return points.filter(({ height, id }) => {
    const stored = store.blockMeta(height)?.id;
    return stored !== undefined && toHex(stored) !== id;
  });
}

/**
 * Returns the number of blocks of the stored chain that can be kept: those below the first violated checkpoint,
 * without blocks on top whose version differs from the fork table's (it has grown since they were stored).
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
