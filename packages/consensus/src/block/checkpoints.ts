import { toHex } from '@monero-node/codec';
import { ConsensusError } from '../errors/consensus-error.ts';
import type { Checkpoint, Network } from '../network/types.ts';

/**
 * Checks that a main-chain block at a checkpoint's height is the checkpoint's block.
 *
 * Throws ConsensusError 'checkpoint-mismatch'.
 *
 * Source: checkpoints::check_block in src/checkpoints/checkpoints.cpp.
 *
 * @param id block id, 32 bytes
 */
export function checkCheckpoint(network: Network, height: number, id: Uint8Array): void {
  const expected = network.checkpoints.find((point) => point.height === height)?.id;
  if (expected === undefined || expected === toHex(id)) return;
  throw new ConsensusError('checkpoint-mismatch', `expected ${expected}, got ${toHex(id)}`, {
    height,
  });
}

/**
 * Checks that an alternative block does not replace genesis, and is above the newest checkpoint that the
 * main chain has reached.
 *
 * Throws ConsensusError 'below-checkpoint'.
 *
 * Source: checkpoints::is_alternative_block_allowed in src/checkpoints/checkpoints.cpp.
 *
 * @param height of the alternative block
 * @param chainHeight number of blocks on the main chain
 */
export function checkAlternativeHeight(
  network: Network,
  height: number,
  chainHeight: number,
): void {
  if (height === 0) throw new ConsensusError('below-checkpoint', 'genesis is fixed', { height });
  const newest = lastReached(network, chainHeight);
  if (newest === undefined || height > newest.height) return;
  throw new ConsensusError('below-checkpoint', `newest checkpoint is at ${newest.height}`, {
    height,
  });
}

/**
 * Whether a block is a checkpoint's block: then the chain switches to it regardless of difficulty.
 *
 * Source: Blockchain::handle_alternative_block in src/cryptonote_core/blockchain.cpp.
 *
 * @param id block id, 32 bytes
 */
export function isCheckpoint(network: Network, height: number, id: Uint8Array): boolean {
  return network.checkpoints.some((point) => point.height === height && point.id === toHex(id));
}

function lastReached(network: Network, chainHeight: number): Checkpoint | undefined {
  return network.checkpoints.findLast((point) => point.height <= chainHeight);
}
