import { runAtOnce } from '@monero-node/base';
import { blockRowsSteps, type ListLengths } from '../lmdb/tables/block-rows.ts';
import type { Environment } from '../lmdb/files/environment.ts';
import type { HashTable } from '../lmdb/hashes/hash-state.ts';
import { amountKey, amountOutputKey, uint32Value } from '../lmdb/tables/keys.ts';
import { rctListLengthOf } from '../lmdb/tables/meta-row.ts';
import { outputHeightOf } from '../lmdb/tables/output-row.ts';
import { bucketOf, RecentBucket, RECENT_TABLES } from '../lmdb/hashes/recent-bucket.ts';
import { PackedTxs } from '../lmdb/tables/tx-pack.ts';
import { sliceOf } from '../lmdb/hashes/waiting-hashes.ts';
import { eachRow } from '../lmdb/tables/tables.ts';
import { hashesIn } from '../hash-bytes.ts';
import type { BlockRecord } from '../records.ts';
import { findingOf, type Finding } from './finding.ts';
import type { RowTotals } from './row-totals.ts';

interface CompareContext {
  /** Per slice: height below which the hashes must be in their tables. */
  readonly written: readonly number[];
  /** Of the blocks below; the block's own numbers are added. */
  readonly totals: RowTotals;
}

/**
 * Compares every row of a block with those that storing its record would write, byte by byte.
 *
 * Throws StorageError when a row that is not the block's own cannot be read.
 */
export function compareBlock(
  environment: Environment,
  record: BlockRecord,
  { written, totals }: CompareContext,
): Finding[] {
  const { height } = record.meta;
  const findings: Finding[] = [];
  const lists = new BlockLists(environment, height);
  for (const rows of runAtOnce(blockRowsSteps(record, lists))) {
    const { table } = rows;
    eachRow(rows, rows.value, (key, value) => {
      const stored = environment.view(table, key);
      if (stored === undefined) findings.push(findingOf(table, key, height, 'is missing'));
      else if (Buffer.compare(stored, value) !== 0)
        findings.push(findingOf(table, key, height, 'differs from what the block says'));
    });
  }
  findings.push(...lists.check());
  const expectHash = (table: HashTable, hash: Uint8Array, value: Uint8Array) => {
    if (height >= (written[sliceOf(hash)] ?? 0)) return;
    const stored = hashRow(environment, table, hash);
    const problem = stored === undefined ? 'is missing' : 'names another place in the chain';
    if (stored === undefined || Buffer.compare(stored, value) !== 0)
      findings.push(findingOf(table, hash, height, problem));
  };
  const at = uint32Value(height);
  const txIds = hashesIn(record.txs.ids);
  const keyImages = hashesIn(record.keyImages);
  txIds.forEach((id, i) => expectHash('tx_id', id, Uint8Array.of(...at, ...uint32Value(i))));
  for (const image of keyImages) expectHash('key_image', image, at);
  const { amounts } = record.outputs;
  const clear = amounts.filter((amount) => amount !== 0n).length;
  totals.txs += txIds.length;
  totals.keyImages += keyImages.length;
  totals.clearOutputs += clear;
  totals.rctOutputs += amounts.length - clear;
  totals.amounts += lists.begun;
  return findings;
}

function hashRow(
  environment: Environment,
  table: HashTable,
  hash: Uint8Array,
): Uint8Array | undefined {
  const row = environment.get(RECENT_TABLES[table], bucketOf(hash));
  if (row !== undefined) {
    const bucket = new RecentBucket(table, row);
    const index = bucket.find(hash);
    if (index !== undefined) return bucket.entry(index).value;
  }
  return environment.get(table, hash);
}

/**
 * The output lists that a block lengthens. The lengths before are not kept in memory: that of the RCT list is in the record of
 * the block below, and that of another list is where the last output of an older block is.
 */
class BlockLists implements ListLengths {
  readonly #environment: Environment;
  readonly #height: number;
  readonly #firsts = new Map<bigint, number>();
  readonly #lengths = new Map<bigint, number>();
  #clearFirsts: ReadonlyMap<bigint, number> | undefined;

  constructor(environment: Environment, height: number) {
    this.#environment = environment;
    this.#height = height;
  }

  /** Number of lists whose first output the block made. */
  get begun(): number {
    return [...this.#firsts].filter(([amount, first]) => amount !== 0n && first === 0).length;
  }

  get(amount: bigint): number {
    const known = this.#lengths.get(amount);
    if (known !== undefined) return known;
    const first = amount === 0n ? this.#rctLength() : this.#clearLength(amount);
    this.#firsts.set(amount, first);
    this.#lengths.set(amount, first);
    return first;
  }

  set(amount: bigint, length: number): void {
    this.#lengths.set(amount, length);
  }

  /** Checks how the block's outputs join on to the older ones, and the stored lengths of the lists. */
  check(): Finding[] {
    const findings: Finding[] = [];
    for (const [amount, length] of this.#lengths) {
      if (amount === 0n) continue;
      const first = this.#firsts.get(amount) ?? 0;
      const below = first === 0 ? undefined : this.#origin(amount, first - 1);
      if (first > 0 && (below === undefined || below >= this.#height))
        findings.push(this.#finding(amount, first, 'leaves a gap in its list'));
      const count = this.#environment.get('output_count', amountKey(amount));
      const stored = count?.length === 4 ? Buffer.from(count).readUInt32LE() : 0;
      const goesOn = this.#origin(amount, length) !== undefined;
      if (goesOn ? stored <= length : stored !== length) {
        const problem = `is ${stored}, and the list has ${goesOn ? 'more than ' : ''}${length}`;
        findings.push(findingOf('output_count', amountKey(amount), this.#height, problem));
      }
    }
    return findings;
  }

  #finding(amount: bigint, index: number, problem: string): Finding {
    return findingOf('amount_output', amountOutputKey(amount, index), this.#height, problem);
  }

  #rctLength(): number {
    if (this.#height === 0) return 0;
    const row = this.#environment.view('block_meta', this.#height - 1);
    return row === undefined ? 0 : rctListLengthOf(row);
  }

  /** Reads from the block's own row where its outputs begin; the neighbors confirm it. */
  #clearLength(amount: bigint): number {
    this.#clearFirsts ??= this.#readFirsts();
    return this.#clearFirsts.get(amount) ?? 0;
  }

  #readFirsts(): Map<bigint, number> {
    const firsts = new Map<bigint, number>();
    const row = this.#environment.get('txs', this.#height);
    for (const run of row === undefined ? [] : new PackedTxs(row).allRuns())
      firsts.set(run.amount, Math.min(run.first, firsts.get(run.amount) ?? Infinity));
    return firsts;
  }

  #origin(amount: bigint, index: number): number | undefined {
    const row = this.#environment.view('amount_output', amountOutputKey(amount, index));
    return row && outputHeightOf(row);
  }
}
