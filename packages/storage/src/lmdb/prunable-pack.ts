import type { StoredTx } from '../chain-store.ts';
import { RowReader } from './row-reader.ts';
import { RowWriter } from './row-writer.ts';

/**
 * A `prunable` row holds the prunable parts of a block's transactions: their number (uint32), per
 * transaction where its part ends (uint32, from the first part) and its prunable hash, then the parts.
 */
const ENTRY_SIZE = 4 + 32;

export function packPrunable(txs: readonly StoredTx[]): Uint8Array {
  const total = txs.reduce((sum, tx) => sum + tx.prunable.length, 0);
  const row = new RowWriter(4 + txs.length * ENTRY_SIZE + total);
  row.u32(txs.length);
  let end = 0;
  for (const tx of txs) {
    end += tx.prunable.length;
    row.u32(end);
    row.put(tx.prunableHash);
  }
  for (const tx of txs) row.put(tx.prunable);
  return row.bytes;
}

/** One transaction's part, copied. @throws StorageError `damaged` */
export function unpackPrunable(
  bytes: Uint8Array,
  position: number,
): { prunable: Uint8Array; prunableHash: Uint8Array } {
  const row = new RowReader('prunable', bytes);
  const count = row.u32();
  if (position >= count) row.damaged();
  let start = 0;
  if (position > 0) {
    row.seek(4 + (position - 1) * ENTRY_SIZE);
    start = row.u32();
  }
  row.seek(4 + position * ENTRY_SIZE);
  const end = row.u32();
  const prunableHash = row.bytes(32);
  if (end < start) row.damaged();
  row.seek(4 + count * ENTRY_SIZE + start);
  return { prunable: row.bytes(end - start), prunableHash };
}
