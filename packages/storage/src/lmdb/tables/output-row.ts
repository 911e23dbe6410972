import type { NewOutput, StoredOutput } from '../../records.ts';
import { RowReader, RowWriter } from './rows.ts';

/** Size of an output row in bytes: height (uint32), unlock time, key and, on the RCT list, the commitment. */
const CLEAR_SIZE = 4 + 8 + 32;
const RCT_SIZE = CLEAR_SIZE + 32;

/** Returns the rows of a transaction's outputs, 44 bytes each or 76 with a commitment. All are views of one buffer. */
export function encodeOutputs(outputs: readonly NewOutput[], height: number): Uint8Array[] {
  const sizes = outputs.map((output) => (output.commitment === undefined ? CLEAR_SIZE : RCT_SIZE));
  const row = new RowWriter(sizes.reduce((sum, size) => sum + size, 0));
  return outputs.map((output) => {
    const start = row.offset;
    row.u32(height);
    row.u64(output.unlockTime);
    row.put(output.key);
    if (output.commitment !== undefined) row.put(output.commitment);
    return row.bytes.subarray(start, row.offset);
  });
}

/** Reads an output row of 44 or 76 bytes. Throws StorageError `damaged`. */
export function decodeOutput(bytes: Uint8Array): StoredOutput {
  const row = new RowReader('output', bytes);
  const height = row.u32();
  const unlockTime = row.u64();
  const key = row.bytes(32);
  const commitment = row.remaining === 0 ? undefined : row.bytes(32);
  row.end();
  return { key, ...(commitment && { commitment }), unlockTime, height };
}

/** Returns the height of the block that made the output, from its row of 44 or 76 bytes. Throws StorageError `damaged`. */
export function outputHeightOf(bytes: Uint8Array): number {
  return new RowReader('output', bytes).u32();
}
