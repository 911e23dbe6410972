import { inSlices, type Yielder } from '@monero-node/base';
import type { ChainChange } from '../../chain-writer.ts';
import {
  TREE_ROWS_PER_STEP,
  type TreeCut,
  type TreeOutput,
  type TreeStep,
  type TreeStore,
} from '../../tree-store.ts';
import { uint32Value } from '../tables/keys.ts';
import { TREE_TABLE_NAMES, type TableKey, type TreeTableName } from '../tables/tables.ts';
import {
  encodeTreeOutput,
  encodeTreeOutputs,
  encodeTreeState,
  TREE_INDEXES_KEY,
  treeLockedKey,
  treeNodeKey,
  treeWaitingKey,
} from '../tables/tree-rows.ts';
import { StoredTree, type TreeRow } from './stored-tree.ts';

/** Where the rows of a tree are stored. */
export interface TreeRows {
  readonly get: TreeRow;
  keys(table: TreeTableName): Iterable<TableKey>;
}

/** A row of a tree that is to be written or, without a value, removed. */
export interface TreeOp {
  readonly table: TreeTableName;
  readonly key: TableKey;
  readonly value?: Uint8Array;
}

/** Returns the rows of the curve tree that a change writes and removes. */
export async function stageTree(
  stored: TreeRows,
  { popTo, tree: change }: Pick<ChainChange, 'popTo' | 'tree'>,
  yielder: Yielder,
): Promise<TreeOp[]> {
  if (change === undefined && popTo !== 0) return [];
  const tree = new StagedTree(stored.get);
  if (popTo === 0) tree.clear(stored.keys);
  if (change !== undefined) await inSlices(change(tree), yielder);
  return inSlices(tree.opsSteps(), yielder);
}

/** Changes a tree without writing: what changes is kept in memory, is read back from there, and becomes the rows to write. */
class StagedTree extends StoredTree implements TreeStore {
  readonly #changed: StagedRows;

  /** @param stored reads the rows as they are stored */
  constructor(stored: TreeRow) {
    const changed = new StagedRows(stored);
    super((table, key) => changed.get(table, key));
    this.#changed = changed;
  }

  /** Returns the rows to write and remove; each of them once. */
  opsSteps(): Generator<undefined, TreeOp[]> {
    return this.#changed.opsSteps();
  }

  /**
   * Removes all rows.
   *
   * @param keys returns the keys of a table as it is stored
   */
  clear(keys: TreeRows['keys']): void {
    for (const table of TREE_TABLE_NAMES) {
      for (const key of keys(table)) this.#changed.put(table, key, undefined);
    }
  }

  *lockSteps(index: bigint, outputs: readonly TreeOutput[]): Generator<undefined, void> {
    if (outputs.length === 0) return;
    let count = this.waiting(index);
    for (const [i, output] of outputs.entries()) {
      if (isStepEnd(i)) yield;
      this.#changed.put('tree_locked', treeLockedKey(index, count), encodeTreeOutput(output));
      count += 1;
    }
    this.#changed.put('tree_count', treeWaitingKey(index), uint32Value(count));
  }

  *unlockSteps(index: bigint, fromUnifiedId: number): Generator<undefined, void> {
    const before = this.waiting(index);
    let count = before;
    for (; count > 0; count -= 1) {
      if (isStepEnd(before - count)) yield;
      if (this.lockedAt(index, count - 1).unifiedId < fromUnifiedId) break;
      this.#changed.put('tree_locked', treeLockedKey(index, count - 1), undefined);
    }
    if (count === before) return;
    const value = count === 0 ? undefined : uint32Value(count);
    this.#changed.put('tree_count', treeWaitingKey(index), value);
  }

  *pushSteps({ state, leaves, skipped, nodes }: TreeStep): Generator<undefined, void> {
    const index = this.indexes();
    const first = state.leaves - leaves.length;
    for (const [i, leaf] of leaves.entries()) {
      if (isStepEnd(i)) yield;
      this.#changed.put('tree_leaf', first + i, encodeTreeOutput(leaf));
    }
    if (skipped.length > 0)
      this.#changed.put('tree_skipped', index, yield* encodeTreeOutputs(skipped));
    for (const { layer, from, nodes: run } of nodes) {
      for (const [i, node] of run.entries()) {
        if (isStepEnd(i)) yield;
        this.#changed.put('tree_node', treeNodeKey(layer, from + i), node);
      }
    }
    this.#changed.put('tree_index', index, encodeTreeState(state));
    this.#setIndexes(index + 1);
  }

  *popSteps({ leaves, nodes, edge }: TreeCut): Generator<undefined, void> {
    const index = this.indexes() - 1;
    const popped = this.state(index);
    for (let place = leaves; place < popped.leaves; place += 1) {
      if (isStepEnd(place - leaves)) yield;
      this.#changed.put('tree_leaf', place, undefined);
    }
    for (const layer of popped.edge.keys()) {
      const count = nodes[layer] ?? 0;
      yield* this.#removeNodes(layer, count);
      const last = edge[layer];
      if (last !== undefined) this.#changed.put('tree_node', treeNodeKey(layer, count - 1), last);
    }
    this.#changed.put('tree_skipped', index, undefined);
    this.#changed.put('tree_index', index, undefined);
    this.#setIndexes(index);
  }

  /** Removes the nodes of a layer from a place on. */
  *#removeNodes(layer: number, from: number): Generator<undefined, void> {
    for (let place = from; ; place += 1) {
      if (isStepEnd(place - from)) yield;
      const key = treeNodeKey(layer, place);
      if (this.row('tree_node', key) === undefined) return;
      this.#changed.put('tree_node', key, undefined);
    }
  }

  #setIndexes(count: number): void {
    this.#changed.put('tree_count', TREE_INDEXES_KEY, count === 0 ? undefined : uint32Value(count));
  }
}

function isStepEnd(done: number): boolean {
  return done > 0 && done % TREE_ROWS_PER_STEP === 0;
}

/** A row that is to be written, or removed if it has no value. */
interface StagedRow {
  readonly key: TableKey;
  readonly value: Uint8Array | undefined;
}

/** Rows that are to change, above those that are stored. */
class StagedRows {
  readonly #stored: TreeRow;
  readonly #rows = new Map<TreeTableName, Map<number | string, StagedRow>>();

  constructor(stored: TreeRow) {
    this.#stored = stored;
  }

  get(table: TreeTableName, key: TableKey): Uint8Array | undefined {
    const staged = this.#rows.get(table)?.get(nameOf(key));
    return staged === undefined ? this.#stored(table, key) : staged.value?.slice();
  }

  put(table: TreeTableName, key: TableKey, value: Uint8Array | undefined): void {
    const rows = this.#rows.get(table) ?? new Map<number | string, StagedRow>();
    this.#rows.set(table, rows);
    rows.set(nameOf(key), { key, value: value?.slice() });
  }

  *opsSteps(): Generator<undefined, TreeOp[]> {
    const ops: TreeOp[] = [];
    for (const [table, rows] of this.#rows) {
      for (const { key, value } of rows.values()) {
        if (isStepEnd(ops.length)) yield;
        ops.push({ table, key, ...(value && { value }) });
      }
    }
    return ops;
  }
}

/** Returns a name of a key, unique in its table. */
export function nameOf(key: TableKey): number | string {
  return typeof key === 'number' ? key : Buffer.from(key).toString('latin1');
}
