import { runAtOnce } from '@monero-node/base';
import type { BlockTxs, StoredTx } from '../../records.ts';
import { HASH_SIZE, joinBytes } from '../../hash-bytes.ts';
import { isPause, RowReader, RowWriter } from './rows.ts';

/**
 * A `prunable` row holds the prunable parts of a block's transactions: their number (uint32), per
 * transaction where its part ends (uint32, from the first part) and its prunable hash, then the parts.
 * The highest bit of an end marks a dropped part, which takes no bytes.
 */
const ENTRY_SIZE = 4 + 32;
const DROPPED = 0x8000_0000;

type Prunable = Pick<StoredTx, 'prunable' | 'prunableHash' | 'dropped'>;

/** Returns the `prunable` row of a block's transactions, in their order: 4 bytes, 36 per transaction, and the parts. */
export function packPrunable(txs: Omit<BlockTxs, 'ids'>): Uint8Array {
  return runAtOnce(packPrunableSteps(txs));
}

/** The same bytes, as those of `packPrunable`, in steps, because a row may have many megabytes. */
export function* packPrunableSteps(txs: Omit<BlockTxs, 'ids'>): Generator<undefined, Uint8Array> {
  const { blobs, baseSizes, prunableHashes, dropped } = txs;
  const sizes = blobs.map((blob, position) => blob.length - (baseSizes[position] as number));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const row = new RowWriter(4 + blobs.length * ENTRY_SIZE + total);
  row.u32(blobs.length);
  let end = 0;
  sizes.forEach((size, position) => {
    end += size;
    row.u32(dropped[position] !== 0 ? end + DROPPED : end);
    row.putHash(prunableHashes, HASH_SIZE * position);
  });
  for (let position = 0; position < blobs.length; position += 1) {
    row.put((blobs[position] as Uint8Array).subarray(baseSizes[position]));
    if (isPause(position)) yield;
  }
  return row.bytes;
}

/**
 * Returns whether a prunable part may be dropped. A version 1 transaction has no prunable hash (32 zero bytes)
 * and could not be identified without its signatures.
 */
export function isDroppable({ prunable, prunableHash }: Prunable): boolean {
  return prunable.length > 0 && prunableHash.some((byte) => byte !== 0);
}

/**
 * Returns a `prunable` row without the parts that can be dropped, as bytes; undefined when it has none.
 * Throws StorageError `damaged`.
 */
export function dropPrunable(bytes: Uint8Array): Uint8Array | undefined {
  const row = new RowReader('prunable', bytes);
  const count = row.u32();
  row.seek(4 + count * ENTRY_SIZE); // throws before anything is allocated for a count that cannot be
  const txs = Array.from({ length: count }, (_, position) => unpackPrunable(bytes, position));
  if (!txs.some(isDroppable)) return undefined;
  return packPrunable({
    blobs: txs.map((tx) => (isDroppable(tx) ? new Uint8Array() : tx.prunable)),
    baseSizes: new Uint32Array(count),
    prunableHashes: joinBytes(txs.map((tx) => tx.prunableHash)),
    dropped: Uint8Array.from(txs, (tx) => (tx.dropped === true || isDroppable(tx) ? 1 : 0)),
  });
}

/**
 * Returns a copy of one transaction's part and its 32-byte hash from the bytes of a `prunable` row.
 * Throws StorageError `damaged`.
 */
export function unpackPrunable(bytes: Uint8Array, position: number): Prunable {
  const row = new RowReader('prunable', bytes);
  const count = row.u32();
  if (position >= count) row.damaged();
  let start = 0;
  if (position > 0) {
    row.seek(4 + (position - 1) * ENTRY_SIZE);
    start = row.u32() % DROPPED;
  }
  row.seek(4 + position * ENTRY_SIZE);
  const marked = row.u32();
  const end = marked % DROPPED;
  const prunableHash = row.bytes(32);
  if (end < start) row.damaged();
  row.seek(4 + count * ENTRY_SIZE + start);
  const prunable = row.bytes(end - start);
  return { prunable, prunableHash, ...(marked >= DROPPED && { dropped: true as const }) };
}
