import type { TableKey, TableName } from '../lmdb/tables/tables.ts';

/** A row that contradicts the others. */
export interface Finding {
  /** Name of the table, see src/lmdb/tables/tables.ts. */
  readonly table: string;
  /** A height or an index, or bytes in hex; an empty text for the table as a whole. */
  readonly key: string;
  /** Of the block that the row belongs to; undefined for rows of no block. */
  readonly height: number | undefined;
  /** Words that follow the name of the row, such as `is missing`. */
  readonly problem: string;
}

/** Returns a finding about a row, of the block at `height` if it belongs to one. */
export function findingOf(
  table: TableName,
  key: TableKey,
  height: number | undefined,
  problem: string,
): Finding {
  const text = typeof key === 'number' ? String(key) : Buffer.from(key).toString('hex');
  return { table, key: text, height, problem };
}

/** Returns a finding about a table as a whole. */
export function wholeTable(table: TableName, problem: string): Finding {
  return { table, key: '', height: undefined, problem };
}
