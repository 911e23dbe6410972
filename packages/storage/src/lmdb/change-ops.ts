import type { Yielder } from '@monero-node/base';
import type { BlockRecord, NewOutput } from '../records.ts';
import type { StoreChange } from '../chain-store.ts';
import { StorageError } from '../storage-error.ts';
import { encodeAltBlock } from './alt-row.ts';
import type { Environment } from './environment.ts';
import { damaged } from './errors.ts';
import type { HashChange } from './hash-change.ts';
import { amountKey, amountOutputKey, isUint32, uint32Value } from './keys.ts';
import { encodeMeta } from './meta-row.ts';
import { encodeOutputs } from './output-row.ts';
import { dropPrunable, packPrunable } from './prunable-pack.ts';
import { poolOps } from './pool-ops.ts';
import { RowReader } from './row-reader.ts';
import type { TableKey, WriteOp } from './tables.ts';
import { packTxs, PackedTxs, type OutputRun } from './tx-pack.ts';

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
    builder.append(block);
    await yielder.yieldIfDue();
  }
  for (const id of change.removeAlt ?? []) builder.removeAlt(id);
  for (const alt of change.putAlt ?? []) builder.putAlt(alt.id, encodeAltBlock(alt));
  return [...(await builder.finish(yielder)), ...poolOps(environment, change)];
}

/** Collects the operations of one change and tracks the lengths of the output lists it changes. */
class ChangeBuilder {
  readonly #environment: Environment;
  readonly #ops: WriteOp[] = [];
  readonly #hashes: HashChange;
  /** Lengths of the lists touched so far. */
  readonly #counts = new Map<bigint, number>();

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

  append(block: BlockRecord): void {
    const { height } = block.meta;
    const runs = block.outputs.map((outputs) => this.#appendOutputs(outputs, height));
    this.#putLast('block', height, block.blob.slice());
    this.#putLast('block_meta', height, encodeMeta(block.meta, this.#count(0n)));
    this.#putLast('txs', height, packTxs(block.txs, runs, block.keyImages));
    this.#putLast('prunable', height, packPrunable(block.txs));
    this.#put('block_id', block.meta.id, uint32Value(height));
    const ids = block.txs.map(({ id }) => id);
    this.#hashes.append(height, ids, block.keyImages);
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

  /** Numbers and stores one transaction's outputs. */
  #appendOutputs(outputs: readonly NewOutput[], height: number): OutputRun[] {
    const rows = encodeOutputs(outputs, height);
    const runs: OutputRun[] = [];
    outputs.forEach(({ amount }, position) => {
      const index = this.#count(amount);
      if (!isUint32(index + 1))
        throw new StorageError('bad-record', `the list of amount ${amount} is full`);
      this.#counts.set(amount, index + 1);
      if (amount === 0n) this.#put('rct_output', index, rows[position]);
      else this.#put('amount_output', amountOutputKey(amount, index), rows[position]);
      const run = runs.at(-1);
      if (run?.amount === amount) run.count += 1;
      else runs.push({ amount, first: index, count: 1 });
    });
    return runs;
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

  #putLast(table: WriteOp['table'], height: number, value: Uint8Array): void {
    this.#ops.push({ table, key: height, value, append: true });
  }

  #remove(table: WriteOp['table'], key: TableKey): void {
    this.#ops.push({ table, key });
  }
}
