import { Yielder } from '@monero-node/base';
import type { Environment } from './files/environment.ts';
import { damaged } from './errors.ts';
import type { HashIndex } from './hashes/hash-index.ts';
import type { HashTable } from './hashes/hash-state.ts';
import { amountKey, amountOutputKey } from './tables/keys.ts';
import { decodeMeta } from './tables/meta-row.ts';
import { decodeOutput } from './tables/output-row.ts';
import { unpackPrunable } from './tables/prunable-pack.ts';
import { RowReader } from './tables/rows.ts';
import type { TableKey, TableName } from './tables/tables.ts';
import { PackedTxs, type OutputRun } from './tables/tx-pack.ts';

/** No page of an LMDB file on the systems we run on is smaller. */
const PAGE_SIZE = 4096;

/**
 * Reads everything that belongs to the newest `count` blocks and follows every reference, newest first.
 *
 * It uses look-ups only, never a cursor: LMDB reports a bad page met by a look-up as an error, but aborts the
 * process when a cursor meets one.
 *
 * Throws StorageError `damaged`.
 */
export async function auditNewestBlocks(
  environment: Environment,
  hashes: HashIndex,
  height: number,
  count: number,
): Promise<void> {
  const yielder = new Yielder();
  for (let at = height - 1; at >= Math.max(0, height - count); at -= 1) {
    auditBlock(environment, hashes, at);
    await yielder.yieldIfDue();
  }
}

function auditBlock(environment: Environment, hashes: HashIndex, height: number): void {
  const { id } = decodeMeta(height, read(environment, 'block_meta', height));
  expectHeight(read(environment, 'block_id', id), height);
  read(environment, 'block', height);
  const txs = new PackedTxs(read(environment, 'txs', height));
  const prunable = read(environment, 'prunable', height);
  for (let position = 0; position < txs.txCount; position += 1) {
    const id = txs.id(position);
    auditHash(hashes, 'tx_id', id, height);
    txs.pruned(position);
    unpackPrunable(prunable, position);
    for (const run of txs.runs(position)) auditRun(environment, run, height);
  }
  for (const keyImage of txs.keyImages()) auditHash(hashes, 'key_image', keyImage, height);
}

function auditHash(hashes: HashIndex, table: HashTable, hash: Uint8Array, height: number): void {
  if (!hashes.isWritten(hash, height)) return;
  const row = hashes.row(table, hash);
  if (row === undefined) throw damaged(`a row of table ${table} is missing`);
  expectHeight(row, height);
}

function auditRun(environment: Environment, run: OutputRun, height: number): void {
  const length = new RowReader(
    'output_count',
    read(environment, 'output_count', amountKey(run.amount)),
  );
  if (length.u32() < run.first + run.count) length.damaged();
  for (let index = run.first; index < run.first + run.count; index += 1) {
    const row =
      run.amount === 0n
        ? read(environment, 'rct_output', index)
        : read(environment, 'amount_output', amountOutputKey(run.amount, index));
    if (decodeOutput(row).height !== height) throw damaged(`output ${index} is of another block`);
  }
}

/** Returns a row that must exist and be whole. When pages of a long value are missing, it ends in zeros. */
function read(environment: Environment, table: TableName, key: TableKey): Uint8Array {
  const value = environment.get(table, key);
  if (value === undefined) throw damaged(`a row of table ${table} is missing`);
  if (value.length >= PAGE_SIZE && value.subarray(-PAGE_SIZE).every((byte) => byte === 0)) {
    throw damaged(`the end of a row of table ${table} is missing`);
  }
  return value;
}

/** Checks the height, with which every value of the hash tables begins. */
function expectHeight(value: Uint8Array, height: number): void {
  if (new RowReader('hash', value).u32() !== height)
    throw damaged('a hash points to the wrong block');
}
