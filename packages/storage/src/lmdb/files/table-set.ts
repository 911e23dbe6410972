import { StorageError } from '../../storage-error.ts';
import {
  BASE_TABLE_NAMES,
  TABLES,
  TREE_TABLE_NAMES,
  TREE_TABLES,
  type TableName,
  type TreeTableName,
} from '../tables/tables.ts';
import type { LmdbTable, Root } from './lmdb-package.ts';

/** The open tables of a store. Those of a curve tree read as empty where it has none. */
export type TableSet = Readonly<Record<TableName, LmdbTable>>;

/** Opens the tables. A writer creates those that every store has. Throws StorageError. */
export function openTableSet(root: Root): TableSet {
  const base = Object.fromEntries(
    BASE_TABLE_NAMES.map((name) => {
      const table = root.openDB({ name, keyEncoding: TABLES[name], encoding: 'binary' });
      if (table === undefined) throw missingTable(name, root);
      return [name, table];
    }),
  ) as Record<keyof typeof TABLES, LmdbTable>;
  // The one that is created last: a writer that ends while it creates them leaves some.
  const last = openTreeTable(root, TREE_TABLE_NAMES.at(-1) as TreeTableName, false);
  return { ...base, ...treeTables((name) => last && openTreeTable(root, name, false)) };
}

/** Returns whether a store has the tables of the curve tree. */
export function hasTreeTables(tables: TableSet): boolean {
  return TREE_TABLE_NAMES.every((name) => tables[name] !== NO_ROWS);
}

/** Creates the tables of the curve tree. Throws what lmdb throws. */
export function createTreeTables(root: Root, tables: TableSet): TableSet {
  return { ...tables, ...treeTables((name) => openTreeTable(root, name, true)) };
}

function treeTables(
  openOne: (name: TreeTableName) => LmdbTable | undefined,
): Record<TreeTableName, LmdbTable> {
  return Object.fromEntries(
    TREE_TABLE_NAMES.map((name) => [name, openOne(name) ?? NO_ROWS]),
  ) as Record<TreeTableName, LmdbTable>;
}

function openTreeTable(root: Root, name: TreeTableName, create: boolean): LmdbTable | undefined {
  return root.openDB({ name, keyEncoding: TREE_TABLES[name], encoding: 'binary', create });
}

/** Returns the error for a reader of a store without one of the tables, which a newer version may have added. */
function missingTable(table: TableName, root: Root): StorageError {
  const schema = root.openDB({ name: 'schema', encoding: 'binary' });
  return schema === undefined
    ? new StorageError('damaged', `table ${table} is missing`)
    : new StorageError(
        'read-only',
        `table ${table} is missing: the store was written by an older version; open it for writing once to migrate it`,
      );
}

const NO_PAGES = { treeBranchPageCount: 0, treeLeafPageCount: 0, overflowPages: 0 };

function refuseWrite(): Promise<never> {
  return Promise.reject(new Error('the tables of the curve tree have not been created'));
}

/** A table that is not there. */
const NO_ROWS: LmdbTable = {
  getBinaryFast: () => undefined,
  put: refuseWrite,
  remove: refuseWrite,
  prefetch: (_, callback) => callback(),
  getRange: () => [],
  getKeys: () => [],
  getStats: () => ({ ...NO_PAGES, entryCount: 0 }),
};
