import { FIRST_TREE_VERSION } from '@monero-node/codec';
import { earliestHeightOf, type Network } from '@monero-node/consensus';
import type { BlockRecord, ChainReader } from '@monero-node/storage';
import { StorageError } from '@monero-node/storage/memory';
import { decodeStoredBase } from './stored-transaction.ts';

/**
 * Returns the height from which on blocks have Carrot outputs; Infinity on networks that have no height for version 17. Stored
 * blocks have the versions of the network's table, as others are popped when a chain is opened.
 */
export function firstCarrotHeight(network: Network): number {
  return earliestHeightOf(network, FIRST_TREE_VERSION) ?? Infinity;
}

/**
 * Returns whether an output of a stored block from `firstCarrotHeight` on is a Carrot output. The store does not say it of the output,
 * so that the transaction that made it is read: at version 17 some have outputs of the old kind.
 *
 * Throws StorageError `damaged` when the store has no such transaction.
 *
 * @param amount of its list: atomic units, 0 for RingCT outputs
 * @param index in that list
 * @param height of its block
 */
export function isStoredCarrot(
  store: ChainReader,
  { amount, index, height }: { amount: bigint; index: number; height: number },
): boolean {
  const origin = store.outputOrigin(amount, index, height);
  const place = origin && store.txLocation(origin.txId);
  if (place?.position === COINBASE) return true;
  const stored = place && store.tx(place.height, place.position);
  return stored === undefined ? damaged(height) : isCarrotBase(stored, height);
}

/** Returns the same for the output at a position among all outputs of a block that is not stored yet. */
export function isPendingCarrot({ meta, txs, outputs }: BlockRecord, position: number): boolean {
  let [at, end] = [0, outputs.counts[0] ?? 0];
  while (position >= end) end += outputs.counts[++at] ?? Infinity;
  if (at === COINBASE) return true;
  const blob = txs.blobs[at];
  if (blob === undefined) return damaged(meta.height);
  const pruned = blob.subarray(0, txs.baseSizes[at]);
  return isCarrotBase(
    { pruned, prunableHash: txs.prunableHashes.subarray(32 * at, 32 * at + 32) },
    meta.height,
  );
}

/** The position of the coinbase in its block. From version 17 on all of its outputs are Carrot outputs, which may be thousands. */
const COINBASE = 0;

function isCarrotBase(base: Parameters<typeof decodeStoredBase>[0], height: number): boolean {
  const parsed = decodeStoredBase(base);
  if (parsed === undefined) return damaged(height);
  // All outputs of a transaction are of one kind.
  return parsed.tx.outputs[0]?.target.kind === 'carrot';
}

function damaged(height: number): never {
  throw new StorageError('damaged', `block ${height} lacks the transaction of an output`);
}
