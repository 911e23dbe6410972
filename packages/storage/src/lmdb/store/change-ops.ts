import { inSlices, type Yielder } from '@monero-node/base';
import type { StoreChange } from '../../chain-store.ts';
import type { PoolChange } from '../../pool-store.ts';
import type { BlockRecord } from '../../records.ts';
import { treeOps } from './tree-ops.ts';
import { damaged } from '../errors.ts';
import type { Environment } from '../files/environment.ts';
import type { HashChange } from '../hashes/hash-change.ts';
import { encodeAltBlock } from '../tables/alt-row.ts';
import { blockRowsSteps, type ListLengths } from '../tables/block-rows.ts';
import { amountKey, amountOutputKey, uint32Value } from '../tables/keys.ts';
import { encodePoolMeta } from '../tables/pool-row.ts';
import { dropPrunable } from '../tables/prunable-pack.ts';
import { RowReader } from '../tables/rows.ts';
import type { TableKey, WriteOp } from '../tables/tables.ts';
import { PackedTxs, type OutputRun } from '../tables/tx-pack.ts';

/**
 * Turns a checked change into the rows to write and remove, in order.
 * @param hashes begun for this change; the caller applies them when the rows have been committed
 * @param range height of the chain, and height of the first appended block as returned by `checkChange`
 */
export async function opsOfChange(
  environment: Environment,
  hashes: HashChange,
  change: StoreChange,
  { height, base }: { height: number; base: number },
  yielder: Yielder,
): Promise<WriteOp[]> {
  const builder = new ChangeBuilder(environment, hashes);
  for (let top = height - 1; top >= base; top -= 1) {
    builder.pop(top);
    await yielder.yieldIfDue();
  }
  for (const at of change.prune ?? []) {
    builder.prune(at);
    await yielder.yieldIfDue();
  }
  for (const block of change.append ?? []) {
    const appended = builder.append(block, yielder);
    const pause = appended ?? yielder.yieldIfDue();
    if (pause !== undefined) await pause;
  }
  for (const id of change.removeAlt ?? []) builder.removeAlt(id);
  for (const alt of change.putAlt ?? []) builder.putAlt(alt.id, encodeAltBlock(alt));
  return [
    ...(await builder.finish(yielder)),
    ...(await treeOps(environment, change, yielder)),
    ...poolOps(environment, change),
  ];
}

/** Collects the operations of one change and tracks the lengths of the output lists it changes. */
class ChangeBuilder {
  readonly #environment: Environment;
  readonly #ops: WriteOp[] = [];
  readonly #hashes: HashChange;
  /** Lengths of the lists touched so far. */
  readonly #counts = new Map<bigint, number>();
  readonly #lengths: ListLengths = {
    get: (amount) => this.#count(amount),
    set: (amount, length) => void this.#counts.set(amount, length),
  };

  constructor(environment: Environment, hashes: HashChange) {
    this.#environment = environment;
    this.#hashes = hashes;
  }

  /** Removes everything that `append` wrote for the block. */
  pop(height: number): void {
    const txsRow = this.#environment.get('txs', height);
    const metaRow = this.#environment.get('block_meta', height);
    if (txsRow === undefined || metaRow === undefined)
      throw damaged(`block ${height} is incomplete`);
    const packed = new PackedTxs(txsRow);
    for (const run of packed.allRuns().reverse()) this.#popRun(run);
    for (const keyImage of packed.keyImages()) this.#hashes.remove('key_image', keyImage, height);
    for (let position = 0; position < packed.txCount; position += 1) {
      this.#hashes.remove('tx_id', packed.id(position), height);
    }
    this.#remove('block_id', metaRow.subarray(0, 32));
    for (const table of ['block', 'block_meta', 'txs', 'prunable'] as const)
      this.#remove(table, height);
  }

  prune(height: number): void {
    const row = this.#environment.get('prunable', height);
    if (row === undefined) throw damaged(`block ${height} is incomplete`);
    const rest = dropPrunable(row);
    if (rest !== undefined) this.#put('prunable', height, rest);
  }

  /** Returns a promise only for a block that takes more than a slice. */
  append(block: BlockRecord, yielder: Yielder): Promise<void> | undefined {
    const take = (newRows: readonly WriteOp[]): void => {
      for (const rows of newRows) this.#ops.push(rows);
      this.#hashes.append(block.meta.height, block.txs.ids, block.keyImages);
    };
    const newRows = inSlices(blockRowsSteps(block, this.#lengths), yielder);
    if (newRows instanceof Promise) return newRows.then(take);
    take(newRows);
    return undefined;
  }

  removeAlt(id: Uint8Array): void {
    this.#remove('alt_block', id);
  }

  putAlt(id: Uint8Array, row: Uint8Array): void {
    this.#put('alt_block', id, row);
  }

  async finish(yielder: Yielder): Promise<WriteOp[]> {
    for (const [amount, count] of this.#counts) {
      if (count === 0) this.#remove('output_count', amountKey(amount));
      else this.#put('output_count', amountKey(amount), uint32Value(count));
    }
    return [...this.#ops, ...(await this.#hashes.finish(yielder))];
  }

  #popRun(run: OutputRun): void {
    for (let index = run.first + run.count - 1; index >= run.first; index -= 1) {
      if (run.amount === 0n) this.#remove('rct_output', index);
      else this.#remove('amount_output', amountOutputKey(run.amount, index));
    }
    this.#counts.set(run.amount, run.first);
  }

  #count(amount: bigint): number {
    const known = this.#counts.get(amount);
    if (known !== undefined) return known;
    const value = this.#environment.get('output_count', amountKey(amount));
    return value === undefined ? 0 : new RowReader('output_count', value).u32();
  }

  #put(table: WriteOp['table'], key: TableKey, value: Uint8Array | undefined): void {
    this.#ops.push({ table, key, ...(value && { value }) });
  }

  #remove(table: WriteOp['table'], key: TableKey): void {
    this.#ops.push({ table, key });
  }
}

/** Returns the pool's rows that a checked change writes and removes, in order. */
function poolOps(
  environment: Environment,
  { removePool = [], putPool = [], updatePool = [] }: PoolChange,
): WriteOp[] {
  const ops: WriteOp[] = [];
  /** Ids that the change itself adds (true) or removes (false). */
  const present = new Map<string, boolean>();
  for (const id of removePool) {
    present.set(keyOf(id), false);
    ops.push({ table: 'pool_tx', key: id }, { table: 'pool_meta', key: id });
  }
  for (const { id, blob, meta } of putPool) {
    present.set(keyOf(id), true);
    ops.push({ table: 'pool_tx', key: id, value: blob.slice() });
    ops.push({ table: 'pool_meta', key: id, value: encodePoolMeta(meta) });
  }
  for (const { id, meta } of updatePool) {
    if (!(present.get(keyOf(id)) ?? environment.has('pool_meta', id))) continue;
    ops.push({ table: 'pool_meta', key: id, value: encodePoolMeta(meta) });
  }
  return ops;
}

function keyOf(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('latin1');
}
