import { bytesEqual } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';

/** A block that is kept on a side chain, as one that was ours before a reorganization is. */
export interface SideBlock {
  readonly height: number;
  /** Id of the parent, 32 bytes. */
  readonly previous: Uint8Array;
  /** Of this block, below 2^128. */
  readonly difficulty: bigint;
}

/**
 * Returns whether a block is in the main chain.
 *
 * @param id 32 bytes
 */
export function isInChain(
  store: Pick<ChainReader, 'blockMeta'>,
  height: number,
  id: Uint8Array,
): boolean {
  const meta = store.blockMeta(height);
  return meta !== undefined && bytesEqual(meta.id, id);
}

/**
 * Returns a block of a side chain; undefined when it, or its parent, is not kept.
 *
 * @param id 32 bytes
 */
export function sideBlock(
  store: Pick<ChainReader, 'blockMeta' | 'altBlock' | 'heightOf'>,
  id: Uint8Array,
): SideBlock | undefined {
  const own = store.altBlock(id);
  if (own === undefined) return undefined;
  const height = store.heightOf(own.prevId);
  const parent = height === undefined ? store.altBlock(own.prevId) : store.blockMeta(height);
  if (parent === undefined) return undefined;
  const difficulty = own.cumulativeDifficulty - parent.cumulativeDifficulty;
  return { height: own.height, previous: own.prevId, difficulty };
}
