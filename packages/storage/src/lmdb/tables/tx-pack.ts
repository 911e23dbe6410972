import { HASH_SIZE, hashesIn, joinBytes } from '../../hash-bytes.ts';
import type { BlockTxs } from '../../records.ts';
import { isPause, RowReader, RowWriter } from './rows.ts';

/**
 * A `txs` row holds everything needed to find, serve and pop a block's transactions:
 *
 * - three uint32: number of transactions, of output runs, of key images;
 * - per transaction: id, where its base form ends (uint32, from the first base form), how many runs
 *   there are up to and including its own (uint32);
 * - the runs: amount (uint64), first global index (uint32), number of outputs (uint32);
 * - per key image: where its 32 bytes are (uint32, from the first base form). The base forms contain them, so
 *   a key image costs four bytes instead of 32;
 * - the base forms, concatenated;
 * - key images that no base form contains.
 */
const HEAD_SIZE = 12;
const ENTRY_SIZE = 32 + 4 + 4;
const RUN_SIZE = 8 + 4 + 4;

/** Neighboring outputs of one transaction in the same list, which therefore have consecutive indices. */
export interface OutputRun {
  amount: bigint;
  first: number;
  count: number;
}

/**
 * Returns the `txs` row of a block, in steps: it may have many megabytes.
 * @param keyImages of all transactions, 32 bytes each
 */
export function* packTxsSteps(
  txs: BlockTxs,
  { runs, ends }: { runs: readonly OutputRun[]; ends: readonly number[] },
  keyImages: Uint8Array,
): Generator<undefined, Uint8Array> {
  const { blobs, baseSizes } = txs;
  const bodySize = baseSizes.reduce((sum, size) => sum + size, 0);
  const tablesSize = HEAD_SIZE + blobs.length * ENTRY_SIZE + runs.length * RUN_SIZE;
  const keyImageCount = keyImages.length / HASH_SIZE;
  const row = new RowWriter(tablesSize + keyImageCount * 4 + bodySize);
  row.u32(blobs.length);
  row.u32(runs.length);
  row.u32(keyImageCount);
  let bodyEnd = 0;
  for (let position = 0; position < blobs.length; position += 1) {
    bodyEnd += baseSizes[position] as number;
    row.putHash(txs.ids, HASH_SIZE * position);
    row.u32(bodyEnd);
    row.u32(ends[position] as number);
  }
  for (const run of runs) {
    row.u64(run.amount);
    row.u32(run.first);
    row.u32(run.count);
  }
  const keyImagesAt = row.offset;
  row.skip(keyImageCount * 4);
  const bodiesAt = row.offset;
  for (let position = 0; position < blobs.length; position += 1) {
    row.put((blobs[position] as Uint8Array).subarray(0, baseSizes[position]));
    if (isPause(position)) yield;
  }
  if (keyImageCount === 0) return row.bytes;
  row.seek(keyImagesAt);
  const bodies = row.bytes.subarray(bodiesAt);
  const strangers = yield* putKeyImageOffsets(row, bodies, keyImages);
  return strangers.length === 0 ? row.bytes : joinBytes([row.bytes, ...strangers]);
}

/** Writes where the key images are in the base forms or behind them. Returns those that no base form contains. */
function* putKeyImageOffsets(
  row: RowWriter,
  bodies: Uint8Array,
  keyImages: Uint8Array,
): Generator<undefined, Uint8Array[]> {
  const joined = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.length);
  const strangers: Uint8Array[] = [];
  let from = 0;
  for (const [position, keyImage] of hashesIn(keyImages).entries()) {
    // Key images usually come in the order of the transactions, so continuing after the last one is fast. The first copy counts,
    // though the input may hold a later one: stored rows are compared with these byte by byte.
    let offset = joined.indexOf(keyImage, from);
    if (offset < 0) offset = joined.indexOf(keyImage);
    if (offset < 0) offset = joined.length + HASH_SIZE * (strangers.push(keyImage) - 1);
    else from = offset + HASH_SIZE;
    row.u32(offset);
    if (isPause(position)) yield;
  }
  return strangers;
}

/** Reads a `txs` row. It keeps a view of the bytes: copy them first if they may change. */
export class PackedTxs {
  readonly txCount: number;
  readonly #row: RowReader;
  readonly #runCount: number;
  readonly #keyImageCount: number;

  /** Throws StorageError `damaged`. */
  constructor(row: Uint8Array | RowReader) {
    this.#row = row instanceof RowReader ? row : new RowReader('txs', row);
    this.txCount = this.#row.u32();
    this.#runCount = this.#row.u32();
    this.#keyImageCount = this.#row.u32();
    this.#row.seek(this.#bodyStart); // throws if the tables are cut off
  }

  /** Returns whether a transaction is at the position. */
  has(position: number): boolean {
    return Number.isInteger(position) && position >= 0 && position < this.txCount;
  }

  get #runStart(): number {
    return HEAD_SIZE + this.txCount * ENTRY_SIZE;
  }

  get #keyImageStart(): number {
    return this.#runStart + this.#runCount * RUN_SIZE;
  }

  get #bodyStart(): number {
    return this.#keyImageStart + this.#keyImageCount * 4;
  }

  id(position: number): Uint8Array {
    this.#row.seek(HEAD_SIZE + position * ENTRY_SIZE);
    return this.#row.bytes(32);
  }

  /** Copies the id of a transaction to `to` of an array. */
  putId(position: number, target: Uint8Array, to: number): void {
    this.#row.seek(HEAD_SIZE + position * ENTRY_SIZE);
    this.#row.putHash(target, to);
  }

  /** Returns a copy of a transaction's base form. */
  pruned(position: number): Uint8Array {
    const start = this.#ends(position - 1).body;
    const end = this.#ends(position).body;
    if (end < start) this.#row.damaged();
    this.#row.seek(this.#bodyStart + start);
    return this.#row.bytes(end - start);
  }

  runs(position: number): OutputRun[] {
    return this.#readRuns(this.#ends(position - 1).runs, this.#ends(position).runs);
  }

  allRuns(): OutputRun[] {
    return this.#readRuns(0, this.#runCount);
  }

  /**
   * Returns the position of the transaction that made an output and the output's place in it, by the output's amount and
   * index in the amount's list; undefined when it is of another block. Makes no objects on the way: blocks have thousands
   * of outputs, and wallets ask for many of them one by one.
   */
  originOf(
    amount: bigint,
    index: number,
  ): { position: number; outputPosition: number } | undefined {
    const row = this.#row;
    let run = 0;
    for (let position = 0; position < this.txCount; position++) {
      row.seek(HEAD_SIZE + position * ENTRY_SIZE + 36);
      const end = row.u32();
      if (end < run || end > this.#runCount) row.damaged();
      let outputPosition = 0;
      for (; run < end; run++) {
        const at = this.#runStart + run * RUN_SIZE;
        row.seek(at + 8);
        const offset = index - row.u32();
        const count = row.u32();
        if (offset >= 0 && offset < count) {
          row.seek(at);
          if (row.u64() === amount) return { position, outputPosition: outputPosition + offset };
        }
        outputPosition += count;
      }
    }
    return undefined;
  }

  keyImages(): Uint8Array[] {
    this.#row.seek(this.#keyImageStart);
    const offsets = Array.from({ length: this.#keyImageCount }, () => this.#row.u32());
    return offsets.map((offset) => {
      this.#row.seek(this.#bodyStart + offset);
      return this.#row.bytes(32);
    });
  }

  #ends(position: number): { body: number; runs: number } {
    if (position < 0) return { body: 0, runs: 0 };
    this.#row.seek(HEAD_SIZE + position * ENTRY_SIZE + 32);
    return { body: this.#row.u32(), runs: this.#row.u32() };
  }

  #readRuns(from: number, to: number): OutputRun[] {
    if (from > to || to > this.#runCount) this.#row.damaged();
    this.#row.seek(this.#runStart + from * RUN_SIZE);
    return Array.from({ length: to - from }, () => ({
      amount: this.#row.u64(),
      first: this.#row.u32(),
      count: this.#row.u32(),
    }));
  }
}
