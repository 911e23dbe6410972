import type { AltBlock } from '../../records.ts';
import { RowReader, RowWriter } from './rows.ts';

/**
 * An `alt_block` row: height (uint32), weight, cumulative difficulty (16 bytes), generated coins,
 * previous id, then the block blob and the transaction blobs, each after its length (uint32).
 */
const FIXED_SIZE = 4 + 8 + 16 + 8 + 32;

/** Returns the `alt_block` row of an alternative block, without its id, which is the key: 68 bytes and the blobs. */
export function encodeAltBlock(alt: AltBlock): Uint8Array {
  const blobs = [alt.blob, ...alt.txs];
  const row = new RowWriter(blobs.reduce((sum, blob) => sum + 4 + blob.length, FIXED_SIZE));
  row.u32(alt.height);
  row.u64(alt.weight);
  row.u128(alt.cumulativeDifficulty);
  row.u64(alt.generatedCoins);
  row.put(alt.prevId);
  for (const blob of blobs) {
    row.u32(blob.length);
    row.put(blob);
  }
  return row.bytes;
}

/** Reads an `alt_block` row; `id` is its key, 32 bytes. Throws StorageError `damaged`. */
export function decodeAltBlock(id: Uint8Array, bytes: Uint8Array): AltBlock {
  const row = new RowReader('alt_block', bytes);
  const height = row.u32();
  const weight = row.num64();
  const cumulativeDifficulty = row.u128();
  const generatedCoins = row.u64();
  const prevId = row.bytes(32);
  const blob = row.bytes(row.u32());
  const txs: Uint8Array[] = [];
  while (row.remaining > 0) txs.push(row.bytes(row.u32()));
  return { id, height, prevId, cumulativeDifficulty, weight, generatedCoins, blob, txs };
}
