import type { BlockOutputs, BlockRecord } from '../../records.ts';
import { HASH_SIZE } from '../../hash-bytes.ts';
import { StorageError } from '../../storage-error.ts';
import { amountOutputKey, isUint32, uint32Value } from './keys.ts';
import { encodeMeta } from './meta-row.ts';
import { clearRow, encodeOutputs } from './output-row.ts';
import { packPrunableSteps } from './prunable-pack.ts';
import { rowOf } from './rows.ts';
import type { WriteOp } from './tables.ts';
import { packTxsSteps, type OutputRun } from './tx-pack.ts';

/** Lengths of the output lists, by amount (atomic units; 0 is the RCT list). */
export interface ListLengths {
  get(amount: bigint): number;
  set(amount: bigint, length: number): void;
}

type NewRows = Required<Pick<WriteOp, 'value'>> & WriteOp;

/**
 * Returns the rows of a block, except those of the hash tables and of `output_count`, and lengthens the output lists; in steps, because a
 * block may have many megabytes.
 *
 * Throws StorageError `bad-record` when a list is full.
 */
export function* blockRowsSteps(
  block: BlockRecord,
  lengths: ListLengths,
): Generator<undefined, NewRows[]> {
  const { height, id } = block.meta;
  const numbered = numberOutputs(block.outputs, lengths);
  yield;
  const rows = outputRows(block, numbered.runs);
  yield;
  const atHeight = (table: 'block' | 'block_meta' | 'txs' | 'prunable', value: Uint8Array) => {
    rows.push({ table, key: height, value, append: true });
  };
  atHeight('block', rowOf(block.blob));
  atHeight('block_meta', encodeMeta(block.meta, lengths.get(0n)));
  atHeight('txs', yield* packTxsSteps(block.txs, numbered, block.keyImages));
  atHeight('prunable', yield* packPrunableSteps(block.txs));
  rows.push({ table: 'block_id', key: id, value: uint32Value(height) });
  return rows;
}

/** The runs of a block's outputs, and for each transaction how many there are up to and including its own. */
export interface NumberedOutputs {
  readonly runs: readonly OutputRun[];
  readonly ends: readonly number[];
}

/** Numbers the outputs of a block. */
function numberOutputs(outputs: BlockOutputs, lengths: ListLengths): NumberedOutputs {
  const { counts, amounts } = outputs;
  const runs: OutputRun[] = [];
  const ends: number[] = [];
  let output = 0;
  for (const count of counts) {
    for (const end = output + count; output < end;) {
      const amount = amounts[output] as bigint;
      const start = output;
      do output += 1;
      while (output < end && amounts[output] === amount);
      runs.push(addRun(amount, output - start, lengths));
    }
    ends.push(runs.length);
  }
  return { runs, ends };
}

function addRun(amount: bigint, count: number, lengths: ListLengths): OutputRun {
  const first = lengths.get(amount);
  if (!isUint32(first + count))
    throw new StorageError('bad-record', `the list of amount ${amount} is full`);
  lengths.set(amount, first + count);
  return { amount, first, count };
}

/** Returns the rows of the outputs: those of the RCT list, which has no gaps, as one. */
function outputRows(block: BlockRecord, runs: readonly OutputRun[]): NewRows[] {
  const encoded = encodeOutputs(block);
  const rows: NewRows[] = [];
  const count = block.outputs.commitments.length / HASH_SIZE;
  const rct = runs.find(({ amount }) => amount === 0n);
  if (rct !== undefined)
    rows.push({ table: 'rct_output', key: rct.first, value: encoded.rct, count });
  let position = 0;
  for (const { amount, first, count } of runs) {
    if (amount === 0n) continue;
    for (let index = first; index < first + count; index += 1) {
      const value = clearRow(encoded, position++);
      rows.push({ table: 'amount_output', key: amountOutputKey(amount, index), value });
    }
  }
  return rows;
}
