import type { BlockRecord, NewOutput } from '../../records.ts';
import { StorageError } from '../../storage-error.ts';
import { amountOutputKey, isUint32, uint32Value } from './keys.ts';
import { encodeMeta } from './meta-row.ts';
import { encodeOutputs } from './output-row.ts';
import { packPrunable } from './prunable-pack.ts';
import type { WriteOp } from './tables.ts';
import { packTxs, type OutputRun } from './tx-pack.ts';

/** Lengths of the output lists, by amount (atomic units; 0 is the RCT list). */
export interface ListLengths {
  get(amount: bigint): number;
  set(amount: bigint, length: number): void;
}

type NewRow = Required<Pick<WriteOp, 'value'>> & WriteOp;

/**
 * Returns the rows of a block, except those of the hash tables and of `output_count`, and lengthens the output lists.
 *
 * Throws StorageError `bad-record` when a list is full.
 */
export function blockRows(block: BlockRecord, lengths: ListLengths): NewRow[] {
  const { height, id } = block.meta;
  const numbered = block.outputs.map((outputs) => numberOutputs(outputs, height, lengths));
  const atHeight = (table: 'block' | 'block_meta' | 'txs' | 'prunable', value: Uint8Array) =>
    ({ table, key: height, value, append: true }) as const;
  const runs = numbered.map((each) => each.runs);
  return [
    ...numbered.flatMap(({ rows }) => rows),
    atHeight('block', block.blob.slice()),
    atHeight('block_meta', encodeMeta(block.meta, lengths.get(0n))),
    atHeight('txs', packTxs(block.txs, runs, block.keyImages)),
    atHeight('prunable', packPrunable(block.txs)),
    { table: 'block_id', key: id, value: uint32Value(height) },
  ];
}

/** Numbers one transaction's outputs. */
function numberOutputs(
  outputs: readonly NewOutput[],
  height: number,
  lengths: ListLengths,
): { rows: NewRow[]; runs: OutputRun[] } {
  const values = encodeOutputs(outputs, height);
  const runs: OutputRun[] = [];
  const rows = outputs.map(({ amount }, position): NewRow => {
    const index = lengths.get(amount);
    if (!isUint32(index + 1))
      throw new StorageError('bad-record', `the list of amount ${amount} is full`);
    lengths.set(amount, index + 1);
    const run = runs.at(-1);
    if (run?.amount === amount) run.count += 1;
    else runs.push({ amount, first: index, count: 1 });
    const value = values[position] ?? new Uint8Array();
    return amount === 0n
      ? { table: 'rct_output', key: index, value }
      : { table: 'amount_output', key: amountOutputKey(amount, index), value };
  });
  return { rows, runs };
}
