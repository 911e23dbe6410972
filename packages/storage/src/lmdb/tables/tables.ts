/**
 * The tables and the encoding of their keys. Rows that can be numbered densely have a uint32 key, so new rows
 * are always added at the end of the tree. Only rows found by hash or by amount are inserted at random places.
 *
 * | Table           | Key              | Value                                                    |
 * | --------------- | ---------------- | -------------------------------------------------------- |
 * | `block`         | height           | block blob                                               |
 * | `block_meta`    | height           | fixed record, see meta-row.ts                            |
 * | `txs`           | height           | packed base forms, see tx-pack.ts                        |
 * | `prunable`      | height           | packed prunable parts, see prunable-pack.ts              |
 * | `rct_output`    | index            | output row, see output-row.ts                            |
 * | `amount_output` | amount and index | output row of a list with a clear amount                 |
 * | `output_count`  | amount           | length of its list, uint32; 0 is the RCT list            |
 * | `block_id`      | block id         | height, uint32                                           |
 * | `tx_id`         | transaction id   | height and position, two uint32                          |
 * | `key_image`     | key image        | height of the block that spent it, uint32                |
 * | `recent_tx_id`  | first two bytes  | rows on their way to `tx_id`, see recent-bucket.ts       |
 * | `recent_key_image` | first two bytes | the same for `key_image`                               |
 * | `hash_slice`    | first byte       | height up to which hashes with that first byte have been |
 * |                 |                  | written to these four tables, see hash-index.ts          |
 * | `alt_block`     | block id         | see alt-row.ts                                           |
 * | `pool_tx`       | transaction id   | full blob                                                |
 * | `pool_meta`     | transaction id   | see pool-row.ts                                          |
 * | `property`      | name, UTF-8      | any bytes                                                |
 * | `schema`        | `version`        | uint32                                                   |
 *
 * Only a store of a chain that keeps a curve tree has these, see tree-rows.ts:
 *
 * | Table           | Key              | Value                                                    |
 * | --------------- | ---------------- | -------------------------------------------------------- |
 * | `tree_count`    | 0                | number of tree indexes, uint32                           |
 * |                 | tree index       | number of outputs that wait for it, uint32               |
 * | `tree_index`    | tree index       | leaves, outputs, last node of each layer                 |
 * | `tree_leaf`     | place            | output                                                   |
 * | `tree_node`     | layer and place  | node, 32 bytes                                           |
 * | `tree_locked`   | tree index and number | output that waits for the index                     |
 * | `tree_skipped`  | tree index       | outputs that would have entered, and have no leaf        |
 *
 * Amounts and indices inside keys are big-endian, so that they sort by number; numbers in values
 * are little-endian.
 */
export const TABLES = {
  block: 'uint32',
  block_meta: 'uint32',
  txs: 'uint32',
  prunable: 'uint32',
  rct_output: 'uint32',
  amount_output: 'binary',
  output_count: 'binary',
  block_id: 'binary',
  tx_id: 'binary',
  key_image: 'binary',
  recent_tx_id: 'uint32',
  recent_key_image: 'uint32',
  hash_slice: 'uint32',
  alt_block: 'binary',
  pool_tx: 'binary',
  pool_meta: 'binary',
  property: 'binary',
  schema: 'binary',
} as const;

/** The tables of the curve tree: a store has all of them or none. */
export const TREE_TABLES = {
  tree_count: 'binary',
  tree_index: 'uint32',
  tree_leaf: 'uint32',
  tree_node: 'binary',
  tree_locked: 'binary',
  tree_skipped: 'uint32',
} as const;

export type TreeTableName = keyof typeof TREE_TABLES;

export type TableName = keyof typeof TABLES | TreeTableName;

/** Those that every store has. */
export const BASE_TABLE_NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];

export const TREE_TABLE_NAMES = Object.keys(TREE_TABLES) as TreeTableName[];

export const TABLE_NAMES: readonly TableName[] = [...BASE_TABLE_NAMES, ...TREE_TABLE_NAMES];

/** A number for `uint32` tables, bytes for the others. */
export type TableKey = number | Uint8Array;

/**
 * A row to be written or, without a value, removed; with a count, as many rows to be written. The value must not change until it
 * is committed.
 */
export interface WriteOp {
  table: TableName;
  key: TableKey;
  value?: Uint8Array;
  /** Rows of one size that `value` consists of. They have consecutive numbers as keys, from `key` on. */
  count?: number;
  /** Bytes at the beginning of each of these rows that are its key instead; `key` is that of the first. */
  keySize?: number;
  /**
   * The key is above all others of the table, so pages may be filled completely. This pays for rows of hundreds
   * of bytes (measured: pages stay half empty without it). It costs a promise per row, so it is not used for the
   * many small output rows (measured: 7 % more space, but no garbage).
   */
  append?: true;
}

/**
 * Calls `visit` with the key and the value of each row that an operation writes. A value of several is a view. A key that lies in the
 * value is in an array that the next one overwrites: to make a view of each is dear.
 *
 * @param value that of the operation: rows of as many bytes each, joined
 */
export function eachRow(
  { key, count = 1, keySize = 0 }: WriteOp,
  value: Uint8Array,
  visit: (key: TableKey, value: Uint8Array) => void,
): void {
  const size = value.length / count;
  if (keySize > 0) {
    const own = new Uint8Array(keySize);
    for (let at = 0; at < value.length; at += size) {
      for (let i = 0; i < keySize; i += 1) own[i] = value[at + i] as number;
      visit(own, value.subarray(at + keySize, at + size));
    }
    return;
  }
  if (count === 1 || typeof key !== 'number') {
    visit(key, value);
    return;
  }
  for (let i = 0; i < count; i += 1) visit(key + i, value.subarray(size * i, size * (i + 1)));
}
