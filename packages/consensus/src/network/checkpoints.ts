import { toHex } from '@monero-node/codec';
import { ConsensusError } from '../errors.ts';
import type { Checkpoint, Network } from './types.ts';

/**
 * A main-chain block at a checkpoint's height must be the checkpoint's block.
 *
 * @param id block id, 32 bytes
 * @throws ConsensusError 'checkpoint-mismatch'
 */
export function checkCheckpoint(network: Network, height: number, id: Uint8Array): void {
  const expected = network.checkpoints.find((point) => point.height === height)?.id;
  if (expected === undefined || expected === toHex(id)) return;
  throw new ConsensusError('checkpoint-mismatch', `expected ${expected}, got ${toHex(id)}`, {
    height,
  });
}

/**
 * An alternative block may not replace genesis, and must lie above the newest checkpoint that the
 * main chain has reached (checkpoints::is_alternative_block_allowed).
 *
 * @param height of the alternative block
 * @param chainHeight number of blocks on the main chain
 * @throws ConsensusError 'below-checkpoint'
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

/** Whether the block is a checkpoint's own: then the chain switches to it whatever the difficulty. */
export function isCheckpoint(network: Network, height: number, id: Uint8Array): boolean {
  return network.checkpoints.some((point) => point.height === height && point.id === toHex(id));
}

function lastReached(network: Network, chainHeight: number): Checkpoint | undefined {
  return network.checkpoints.findLast((point) => point.height <= chainHeight);
}
