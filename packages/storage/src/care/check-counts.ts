import { Yielder } from '@monero-node/base';
import type { Environment } from '../lmdb/files/environment.ts';
import type { HashTable } from '../lmdb/hashes/hash-state.ts';
import { amountKey } from '../lmdb/tables/keys.ts';
import { bucketOf, BUCKETS, RecentBucket, RECENT_TABLES } from '../lmdb/hashes/recent-bucket.ts';
import { RowReader } from '../lmdb/tables/rows.ts';
import type { TableName } from '../lmdb/tables/tables.ts';
import { PackedTxs } from '../lmdb/tables/tx-pack.ts';
import { sliceOf, SLICES } from '../lmdb/hashes/waiting-hashes.ts';
import { findingOf, wholeTable, type Finding } from './finding.ts';
import type { RowTotals } from './row-totals.ts';

interface CountContext {
  readonly height: number;
  /** Per slice: height below which the hashes must be in their tables. */
  readonly written: readonly number[];
  readonly totals: RowTotals;
}

/** Returns for each slice the height below which its hashes are in their tables. Throws StorageError `damaged`. */
export function readWritten(environment: Environment): number[] {
  return Array.from({ length: SLICES }, (_, slice) => {
    const row = environment.view('hash_slice', slice);
    return row === undefined ? 0 : new RowReader('hash_slice', row).u32();
  });
}

/** Compares the number of rows of each table with the blocks. Throws StorageError `damaged`. */
export async function checkCounts(
  environment: Environment,
  { height, written, totals }: CountContext,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const expectCount = (table: TableName, wanted: number, found = environment.rowCount(table)) => {
    if (found !== wanted)
      findings.push(wholeTable(table, `has ${found} rows instead of ${wanted}`));
  };
  for (const table of ['block', 'block_meta', 'txs', 'prunable', 'block_id'] as const)
    expectCount(table, height);
  expectCount('rct_output', totals.rctOutputs);
  expectCount('amount_output', totals.clearOutputs);
  expectCount('output_count', totals.amounts + (totals.rctOutputs > 0 ? 1 : 0));
  const row = environment.get('output_count', amountKey(0n));
  const rctCount = row?.length === 4 ? Buffer.from(row).readUInt32LE() : 0;
  if (rctCount !== totals.rctOutputs) {
    const problem = `is ${rctCount}, and the list has ${totals.rctOutputs}`;
    findings.push(findingOf('output_count', amountKey(0n), undefined, problem));
  }
  written.forEach((upTo, slice) => {
    if (upTo > height)
      findings.push(findingOf('hash_slice', slice, undefined, 'is above the chain'));
  });
  expectCount('hash_slice', Math.min(environment.rowCount('hash_slice'), SLICES));
  const waiting = await countWaiting(environment, height, written);
  for (const [table, all] of [
    ['tx_id', totals.txs],
    ['key_image', totals.keyImages],
  ] as const) {
    const recent = await countRecent(environment, table, findings);
    expectCount(table, all - waiting[table], environment.rowCount(table) + recent);
  }
  expectCount('pool_tx', environment.rowCount('pool_meta'));
  return findings;
}

/** Returns how many hashes of the newest blocks are not in their tables yet. Throws StorageError `damaged`. */
export async function countWaiting(
  environment: Environment,
  height: number,
  written: readonly number[],
): Promise<Record<HashTable, number>> {
  const yielder = new Yielder();
  const waiting = { tx_id: 0, key_image: 0 };
  for (let at = Math.min(...written); at < height; at += 1) {
    const row = environment.get('txs', at);
    if (row === undefined) continue;
    const packed = new PackedTxs(row);
    const waits = (hash: Uint8Array) => at >= (written[sliceOf(hash)] ?? 0);
    for (let i = 0; i < packed.txCount; i += 1) if (waits(packed.id(i))) waiting.tx_id += 1;
    waiting.key_image += packed.keyImages().filter(waits).length;
    await yielder.yieldIfDue();
  }
  return waiting;
}

/**
 * Returns how many hashes are collected for a table, and adds to the findings those that are not in their place. Throws
 * StorageError `damaged`.
 */
export async function countRecent(
  environment: Environment,
  table: HashTable,
  findings: Finding[] = [],
): Promise<number> {
  const recentTable = RECENT_TABLES[table];
  if (environment.rowCount(recentTable) === 0) return 0;
  const yielder = new Yielder();
  let count = 0;
  let rows = 0;
  for (let number = 0; number < BUCKETS; number += 1) {
    const row = environment.get(recentTable, number);
    if (row !== undefined) {
      const bucket = new RecentBucket(table, row);
      rows += 1;
      count += bucket.size;
      if (!isInOrder(bucket, number))
        findings.push(findingOf(recentTable, number, undefined, 'is not in order'));
    }
    await yielder.yieldIfDue();
  }
  const found = environment.rowCount(recentTable);
  if (found !== rows)
    findings.push(wholeTable(recentTable, `has ${found} rows instead of ${rows}`));
  return count;
}

function isInOrder(bucket: RecentBucket, number: number): boolean {
  let last: Uint8Array | undefined;
  for (let i = 0; i < bucket.size; i += 1) {
    const { hash } = bucket.entry(i);
    if (bucketOf(hash) !== number) return false;
    if (last !== undefined && Buffer.compare(last, hash) >= 0) return false;
    last = hash;
  }
  return bucket.size > 0;
}
