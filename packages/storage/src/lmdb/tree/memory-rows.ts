import type { TableKey, TreeTableName } from '../tables/tables.ts';
import { nameOf, type TreeOp, type TreeRows } from './staged-tree.ts';

/** Keeps the rows of a tree in memory. */
export class MemoryTreeRows implements TreeRows {
  readonly #rows = new Map<TreeTableName, Map<number | string, Required<Omit<TreeOp, 'table'>>>>();

  readonly get = (table: TreeTableName, key: TableKey): Uint8Array | undefined =>
    this.#rows.get(table)?.get(nameOf(key))?.value.slice();

  readonly keys = (table: TreeTableName): TableKey[] =>
    Array.from(this.#rows.get(table)?.values() ?? [], ({ key }) => key);

  /** Writes a row, or removes it when there is no value. */
  put({ table, key, value }: TreeOp): void {
    const rows = this.#rows.get(table) ?? new Map();
    this.#rows.set(table, rows);
    if (value === undefined) rows.delete(nameOf(key));
    else rows.set(nameOf(key), { key, value });
  }
}
