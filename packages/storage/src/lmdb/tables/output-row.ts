import type { BlockRecord, OutputSlot, StoredOutput } from '../../records.ts';
import { HASH_SIZE } from '../../hash-bytes.ts';
import { RowReader, RowWriter } from './rows.ts';

/** Size of an output row in bytes: height (uint32), unlock time, key and, on the RCT list, the commitment. */
const CLEAR_SIZE = 4 + 8 + 32;
const RCT_SIZE = CLEAR_SIZE + 32;

/** The rows of a block's outputs, without their keys. */
export interface OutputRows {
  /** Those of the RCT list, 76 bytes each. */
  readonly rct: Uint8Array;
  /** Those of clear amounts, 44 bytes each. */
  readonly clear: Uint8Array;
}

/** Returns the rows of a block's outputs, in their order. */
export function encodeOutputs({ meta: { height }, outputs }: BlockRecord): OutputRows {
  const { amounts, unlockTimes, keys, commitments } = outputs;
  const rctCount = commitments.length / HASH_SIZE;
  const rct = new RowWriter(RCT_SIZE * rctCount);
  const clear = new RowWriter(CLEAR_SIZE * (amounts.length - rctCount));
  let commitmentAt = 0;
  for (let i = 0; i < amounts.length; i += 1) {
    const isRct = amounts[i] === 0n;
    const row = isRct ? rct : clear;
    row.u32(height);
    row.u64(unlockTimes[i] as bigint);
    row.putHash(keys, HASH_SIZE * i);
    if (!isRct) continue;
    row.putHash(commitments, commitmentAt);
    commitmentAt += HASH_SIZE;
  }
  return { rct: rct.bytes, clear: clear.bytes };
}

/** Returns one of the rows of clear amounts of `encodeOutputs`: a view of 44 bytes. */
export function clearRow({ clear }: OutputRows, position: number): Uint8Array {
  return clear.subarray(CLEAR_SIZE * position, CLEAR_SIZE * (position + 1));
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

/** Reads an output row of 44 or 76 bytes into a slot, but for the id of the transaction. Throws StorageError `damaged`. */
export function readOutputInto(row: RowReader, slot: OutputSlot): void {
  slot.height = row.u32();
  slot.unlockTime = row.u64();
  row.putHash(slot.bytes, slot.keyAt);
  slot.hasCommitment = row.remaining > 0;
  if (slot.hasCommitment) row.putHash(slot.bytes, slot.commitmentAt);
  row.end();
}

/** Returns the height of the block that made the output, from its row of 44 or 76 bytes. Throws StorageError `damaged`. */
export function outputHeightOf(bytes: Uint8Array): number {
  return new RowReader('output', bytes).u32();
}
