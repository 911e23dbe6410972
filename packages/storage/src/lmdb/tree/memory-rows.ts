import type { TableKey, TreeTableName } from '../tables/tables.ts';
import { nameOf, type TreeOp, type TreeRows } from './staged-tree.ts';

/** Keeps the rows of a tree in memory. */
export class MemoryTreeRows implements TreeRows {
  readonly #rows = new Map<TreeTableName, Map<number | string, Required<Omit<TreeOp, 'table'>>>>();

  readonly get = (table: TreeTableName, key: TableKey): Uint8Array | undefined =>
    this.#rows.get(table)?.get(nameOf(key))?.value.slice();

  readonly keys = (table: TreeTableName): TableKey[] =>
    Array.from(this.#rows.get(table)?.values() ?? [], ({ key }) => key);

  /** Returns the keys of a table of bytes from one on, in the order of an LMDB table; at most `limit` of them. */
  keysFrom(table: TreeTableName, limit: number, start: TableKey): TableKey[] {
    const inOrder = (a: TableKey, b: TableKey) => Buffer.compare(bytesOf(a), bytesOf(b));
    const keys = this.keys(table).filter((key) => inOrder(key, start) >= 0);
    return keys.sort(inOrder).slice(0, limit);
  }

  /** Writes a row, or removes it when there is no value. */
  put({ table, key, value }: TreeOp): void {
    const rows = this.#rows.get(table) ?? new Map();
    this.#rows.set(table, rows);
    if (value === undefined) rows.delete(nameOf(key));
    else rows.set(nameOf(key), { key, value });
  }
}

function bytesOf(key: TableKey): Uint8Array {
  if (typeof key === 'number') throw new TypeError('a table of numbers is not read in order');
  return key;
}
