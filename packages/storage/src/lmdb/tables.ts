/**
 * The tables and how their keys are written. Whatever can be numbered densely has a uint32 key, so
 * that new rows always join at the end of the tree; only what must be found by hash or by amount
 * is an insert at a random place.
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
 * | `hash_slice`    | first byte       | height up to which hashes that begin so have been        |
 * |                 |                  | written to `tx_id` and `key_image`, see hash-index.ts    |
 * | `alt_block`     | block id         | see alt-row.ts                                           |
 * | `pool_tx`       | transaction id   | full blob                                                |
 * | `pool_meta`     | transaction id   | see pool-row.ts                                          |
 * | `property`      | name, UTF-8      | any bytes                                                |
 * | `schema`        | `version`        | uint32                                                   |
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
  hash_slice: 'uint32',
  alt_block: 'binary',
  pool_tx: 'binary',
  pool_meta: 'binary',
  property: 'binary',
  schema: 'binary',
} as const;

export type TableName = keyof typeof TABLES;

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** A number for `uint32` tables, bytes for the others. */
export type TableKey = number | Uint8Array;

/** A row to be written or, without a value, removed. The value must not change until it is committed. */
export interface WriteOp {
  table: TableName;
  key: TableKey;
  value?: Uint8Array;
  /**
   * The key is above all others of the table, so pages may be filled to the brim. Pays for rows of
   * some hundred bytes (measured: pages half empty without it); costs a promise each, so not used for
   * the many small rows of outputs (measured: seven per cent more space, no garbage).
   */
  append?: true;
}
