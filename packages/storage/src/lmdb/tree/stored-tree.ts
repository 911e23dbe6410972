import { runAtOnce } from '@monero-node/base';
import {
  type StoredTreeReader,
  TREE_ROWS_PER_STEP,
  type TreeOutput,
  type TreeReader,
  type TreeState,
} from '../../tree-store.ts';
import { damaged } from '../errors.ts';
import { isUint32, isUint64 } from '../tables/keys.ts';
import { RowReader } from '../tables/rows.ts';
import type { TableKey, TreeTableName } from '../tables/tables.ts';
import {
  decodeTreeOutput,
  decodeTreeOutputs,
  decodeTreeState,
  TREE_INDEXES_KEY,
  treeLockedKey,
  treeNodeKey,
  treeWaitingKey,
  waitingIndexOf,
} from '../tables/tree-rows.ts';

/** Returns a copy of a row's value; undefined when there is no such row. */
export type TreeRow = (table: TreeTableName, key: TableKey) => Uint8Array | undefined;

/** Returns the keys of a table from one on, in order; at most `limit` of them. */
export type TreeKeys = (
  table: TreeTableName,
  limit: number,
  start: TableKey,
) => readonly TableKey[];

/** Reads a curve tree from rows, wherever they are. Throws StorageError `damaged` for rows that make no sense. */
export class StoredTree implements TreeReader {
  protected readonly row: TreeRow;

  constructor(row: TreeRow) {
    this.row = row;
  }

  indexes(): number {
    return this.#count(TREE_INDEXES_KEY);
  }

  state(index: number): TreeState {
    const row = isUint32(index) ? this.row('tree_index', index) : undefined;
    if (row === undefined) throw new RangeError(`no index ${index}`);
    return decodeTreeState(row);
  }

  leaves(from: number, to: number): TreeOutput[] {
    const leaves: TreeOutput[] = [];
    for (let place = from; place < to; place += 1) {
      const row = isUint32(place) ? this.row('tree_leaf', place) : undefined;
      if (row === undefined) throw new RangeError(`no leaves ${from} to ${to}`);
      leaves.push(decodeTreeOutput('tree_leaf', row));
    }
    return leaves;
  }

  node(layer: number, place: number): Uint8Array {
    const row = isUint32(place) ? this.row('tree_node', treeNodeKey(layer, place)) : undefined;
    if (row === undefined) throw new RangeError(`no node ${place} of layer ${layer}`);
    return row;
  }

  *lockedSteps(index: bigint): Generator<undefined, TreeOutput[]> {
    const outputs: TreeOutput[] = [];
    for (;;) {
      const waiting = this.waiting(index);
      const end = Math.min(outputs.length + TREE_ROWS_PER_STEP, waiting);
      while (outputs.length < end) outputs.push(this.lockedAt(index, outputs.length));
      if (end >= waiting) return outputs;
      yield;
    }
  }

  locked(index: bigint): TreeOutput[] {
    return runAtOnce(this.lockedSteps(index));
  }

  *skippedSteps(index: number): Generator<undefined, TreeOutput[]> {
    this.state(index);
    const row = this.row('tree_skipped', index);
    return row === undefined ? [] : yield* decodeTreeOutputs('tree_skipped', row);
  }

  skipped(index: number): TreeOutput[] {
    return runAtOnce(this.skippedSteps(index));
  }

  /** Returns how many outputs wait for an index. */
  protected waiting(index: bigint): number {
    return isUint64(index) ? this.#count(treeWaitingKey(index)) : 0;
  }

  /** Returns one of those that wait for an index. */
  protected lockedAt(index: bigint, number: number): TreeOutput {
    const row = this.row('tree_locked', treeLockedKey(index, number));
    if (row === undefined) throw damaged(`an output that waits for tree index ${index} is missing`);
    return decodeTreeOutput('tree_locked', row);
  }

  #count(key: Uint8Array): number {
    const row = this.row('tree_count', key);
    return row === undefined ? 0 : new RowReader('tree_count', row).u32();
  }
}

/** Reads the curve tree of a store. */
export class ListedTree extends StoredTree implements StoredTreeReader {
  readonly #keys: TreeKeys;

  constructor(row: TreeRow, keys: TreeKeys) {
    super(row);
    this.#keys = keys;
  }

  waitingIndexes(from: bigint, limit: number): bigint[] {
    if (!isUint64(from) || this.indexes() === 0) return [];
    const keys = this.#keys('tree_count', limit + 1, treeWaitingKey(from));
    return keys.flatMap((key) => waitingIndexOf(key) ?? []).slice(0, limit);
  }
}
