import type { OutputOrigin, OutputSlot, StoredOutput } from '../../records.ts';
import type { Environment } from '../files/environment.ts';
import { damaged } from '../errors.ts';
import { amountKey, amountOutputKey, isUint32, isUint64 } from '../tables/keys.ts';
import { rctListLengthOf } from '../tables/meta-row.ts';
import { decodeOutput, outputHeightOf, readOutputInto } from '../tables/output-row.ts';
import type { WantedRows } from '../files/prefetcher.ts';
import { RowReader } from '../tables/rows.ts';
import { packedTxsAt } from './stored-txs.ts';
import type { StorageError } from '../../storage-error.ts';

/** Reads the lists of outputs: list 0 is the RCT list, the others hold outputs of a clear amount (atomic units). */
export class OutputLists {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Returns an output by its global index in its list. */
  output(amount: bigint, index: number): StoredOutput | undefined {
    const row = this.#row(amount, index);
    return row && decodeOutput(row);
  }

  /** Reads an output into a slot; returns whether there is one. Throws StorageError `damaged`. */
  readInto(slot: OutputSlot, amount: bigint, index: number): boolean {
    if (!isUint64(amount) || !isUint32(index)) return false;
    const row =
      amount === 0n
        ? this.#environment.reader('rct_output', index)
        : this.#environment.reader('amount_output', amountOutputKey(amount, index));
    if (row === undefined) return false;
    readOutputInto(row, slot);
    if (slot.txIdAt !== undefined) {
      const packed = packedTxsAt(this.#environment, slot.height);
      const position = packed?.originOf(amount, index)?.position;
      if (packed === undefined || position === undefined) throw stray(amount, index);
      packed.putId(position, slot.bytes, slot.txIdAt);
    }
    return true;
  }

  /**
   * Returns the transaction that made an output. `height` is that of its block, if it is known.
   * Throws StorageError `damaged`.
   */
  origin(amount: bigint, index: number, height?: number): OutputOrigin | undefined {
    const madeAt = height ?? this.heightOf(amount, index);
    if (madeAt === undefined) return undefined;
    const packed = packedTxsAt(this.#environment, madeAt);
    const origin = packed?.originOf(amount, index);
    if (packed === undefined || origin === undefined) throw stray(amount, index);
    const { position, outputPosition } = origin;
    return { txId: packed.id(position), txPosition: position, outputPosition };
  }

  /** Returns the height of the block that made an output. */
  heightOf(amount: bigint, index: number): number | undefined {
    const row = this.#row(amount, index);
    return row && outputHeightOf(row);
  }

  /** Returns the present length of a list. */
  count(amount: bigint): number {
    const row = isUint64(amount)
      ? this.#environment.view('output_count', amountKey(amount))
      : undefined;
    return row === undefined ? 0 : new RowReader('output_count', row).u32();
  }

  /** Returns the length that a list had when the chain had `height` blocks, which is a height inside it. */
  countBelow(amount: bigint, height: number): number {
    return amount === 0n ? this.#rctCountBelow(height) : this.#clearCountBelow(amount, height);
  }

  /** Returns the rows of outputs; none for numbers that no output can have. */
  wantedRows(amount: bigint, indices: readonly number[]): WantedRows {
    const known = isUint64(amount) ? indices.filter(isUint32) : [];
    return amount === 0n
      ? { table: 'rct_output', keys: known }
      : { table: 'amount_output', keys: known.map((index) => amountOutputKey(amount, index)) };
  }

  #row(amount: bigint, index: number): Uint8Array | undefined {
    if (!isUint64(amount) || !isUint32(index)) return undefined;
    return amount === 0n
      ? this.#environment.view('rct_output', index)
      : this.#environment.view('amount_output', amountOutputKey(amount, index));
  }

  #rctCountBelow(height: number): number {
    const row = this.#environment.view('block_meta', height - 1);
    if (row === undefined) throw damaged(`block ${height - 1} is missing`);
    return rctListLengthOf(row);
  }

  /** Finds by binary search where a height begins: heights never decrease along a list. */
  #clearCountBelow(amount: bigint, height: number): number {
    let low = 0;
    let high = this.count(amount);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const madeAt = this.heightOf(amount, middle);
      if (madeAt === undefined) throw damaged(`output ${middle} of amount ${amount} is missing`);
      if (madeAt < height) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function stray(amount: bigint, index: number): StorageError {
  return damaged(`output ${index} of amount ${amount} belongs to no transaction`);
}
