import { isHash } from '../../hash-bytes.ts';
import { Mutex, Yielder } from '@monero-node/base';
import { checkChange, propertyKey, type ChainIndex } from '../../change-check.ts';
import type {
  AltBlock,
  AmountCount,
  BlockMeta,
  BlockRecord,
  OutputOrigin,
  OutputSlot,
  StoredOutput,
  StoredTx,
  TxLocation,
} from '../../records.ts';
import type { Lookups } from '../../chain-reader.ts';
import type { StoreChange } from '../../chain-store.ts';
import type { PageUse } from '../../page-use.ts';
import type { PoolTx } from '../../pool-store.ts';
import { closedError, StorageError } from '../../storage-error.ts';
import { decodeAltBlock } from '../tables/alt-row.ts';
import { opsOfChange } from './change-ops.ts';
import { chainHeight } from '../files/chain-height.ts';
import { copyStore, type CopyOptions, type StoreCopy } from '../files/copy-store.ts';
import { openImage, type StoreImage } from '../files/store-image.ts';
import { beginShare, type CommitShare, type OnCommit } from './commit-share.ts';
import type { CopyableStore } from './copyable-store.ts';
import type { Environment, Row } from '../files/environment.ts';
import { toStorageError } from '../errors.ts';
import type { HashIndex } from '../hashes/hash-index.ts';
import { amountOfKey, isUint32, isUint64, keyAfter } from '../tables/keys.ts';
import { MetaCache, decodeMeta } from '../tables/meta-row.ts';
import type { NewestCommit } from '../files/data-file.ts';
import { OutputLists } from './output-lists.ts';
import { packedTxsAt, storedTxsAt } from './stored-txs.ts';
import { decodePoolMeta } from '../tables/pool-row.ts';
import type { Prefetcher } from '../files/prefetcher.ts';
import type { ProcessLock } from '../files/process-lock.ts';
import { RowReader } from '../tables/rows.ts';
import { isSameTop, topOf } from '../files/snapshot.ts';
import type { TableName } from '../tables/tables.ts';
import { ListedTree } from '../tree/stored-tree.ts';

/** Rows that are read in one step, for a caller that takes turns. */
const ROWS_PER_STEP = 1000;

/** The parts of an LmdbStore, all of one environment. */
export interface LmdbStoreParts {
  readonly environment: Environment;
  /** Loaded. */
  readonly hashes: HashIndex;
  readonly prefetcher: Prefetcher;
}

/** The ChainStore on LMDB: reads directly from the tables, writes through one queue. */
export class LmdbStore implements CopyableStore {
  readonly tree = new ListedTree(
    (table, key) => this.#read(() => this.#environment.get(table, key)),
    (table, limit, start) => this.#read(() => this.#environment.keys(table, limit, start)),
  );
  readonly #environment: Environment;
  readonly #hashes: HashIndex;
  readonly #outputs: OutputLists;
  readonly #prefetcher: Prefetcher;
  readonly #lock: ProcessLock | undefined;
  readonly #mutex = new Mutex();
  /** Kept by the only writer; a reader reads it from the tables. */
  #height: number;
  readonly #metas = new MetaCache();
  /** Counted on the first request after a change. */
  #altCount: number | undefined;
  #closing: Promise<void> | undefined;
  #closed = false;

  /** @param lock held by a writer, absent for a reader */
  constructor({ environment, hashes, prefetcher }: LmdbStoreParts, lock?: ProcessLock) {
    this.#environment = environment;
    this.#hashes = hashes;
    this.#outputs = new OutputLists(environment);
    this.#prefetcher = prefetcher;
    this.#lock = lock;
    this.#height = chainHeight(environment);
  }

  get height(): number {
    return this.#read(() => (this.#isLive ? chainHeight(this.#environment) : this.#height));
  }

  commit(change: StoreChange, onQueued?: () => void): Promise<void> {
    return this.#write(async () => {
      const yielder = new Yielder();
      const base = await checkChange(this.#index, change, yielder);
      const hashes = this.#hashes.begin(base);
      const range = { height: this.#height, base };
      const ops = await opsOfChange(this.#environment, hashes, change, range, yielder);
      const onVisible = () => {
        hashes.apply();
        const appended = change.append?.map(({ meta }) => meta) ?? [];
        this.#metas.change(this.#height, base, appended);
        this.#height = base + appended.length;
        this.#altCount = undefined;
      };
      await this.#environment.write(ops, { onQueued, onVisible });
    });
  }

  async lookAhead(blocks: readonly BlockRecord[]): Promise<void> {
    if (this.#closed || this.#environment.readOnly) return;
    try {
      await this.#hashes.lookAhead(blocks);
    } catch (error) {
      throw toStorageError(error, this.#environment.path);
    }
  }

  blockMeta(height: number): BlockMeta | undefined {
    return this.#read(() =>
      // Another process may write while this one only reads.
      this.#isLive ? this.#readMeta(height) : this.#metas.get(height, this.#readMeta),
    );
  }

  blockBlob(height: number): Uint8Array | undefined {
    return this.#read(() =>
      isUint32(height) ? this.#environment.get('block', height) : undefined,
    );
  }

  blockMetas(from: number, to: number): BlockMeta[] {
    const metas: BlockMeta[] = [];
    const end = Math.min(to, this.height);
    for (let height = Math.max(from, 0); height < end; height += 1) {
      const meta = this.blockMeta(height);
      if (meta !== undefined) metas.push(meta);
    }
    return metas;
  }

  heightOf(id: Uint8Array): number | undefined {
    return this.#read(() => {
      const row = isHash(id) ? this.#environment.view('block_id', id) : undefined;
      return row && new RowReader('block_id', row).u32();
    });
  }

  txLocation(id: Uint8Array): TxLocation | undefined {
    return this.#read(() => (isHash(id) ? this.#hashes.txLocation(id) : undefined));
  }

  txIds(after: Uint8Array | undefined, limit: number): Uint8Array[] {
    return this.#read(() => this.#hashes.txIds(after, limit));
  }

  keyImageHeight(keyImage: Uint8Array): number | undefined {
    return this.#read(() => (isHash(keyImage) ? this.#hashes.keyImageHeight(keyImage) : undefined));
  }

  blockTxs(height: number): StoredTx[] {
    return this.#read(() => {
      const count = packedTxsAt(this.#environment, height)?.txCount ?? 0;
      const positions = Array.from({ length: count }, (_, position) => position);
      return storedTxsAt(this.#environment, height, positions);
    });
  }

  tx(height: number, position: number): StoredTx | undefined {
    return this.#read(() => storedTxsAt(this.#environment, height, [position])[0]);
  }

  txBase(height: number, position: number): Uint8Array | undefined {
    return this.#read(() => {
      const packed = packedTxsAt(this.#environment, height);
      return packed?.has(position) === true ? packed.pruned(position) : undefined;
    });
  }

  outputIndices(height: number, position: number): number[] {
    return this.#read(() => {
      const packed = packedTxsAt(this.#environment, height);
      if (packed === undefined || !packed.has(position)) return [];
      return packed
        .runs(position)
        .flatMap(({ first, count }) =>
          Array.from({ length: count }, (_, offset) => first + offset),
        );
    });
  }

  output(amount: bigint, index: number): StoredOutput | undefined {
    return this.#read(() => this.#outputs.output(amount, index));
  }

  readOutput(slot: OutputSlot, amount: bigint, index: number): boolean {
    this.#checkOpen();
    // As `#read`, but without a function for each of the ring members of a block.
    try {
      return this.#outputs.readInto(slot, amount, index);
    } catch (error) {
      throw toStorageError(error, this.#environment.path);
    }
  }

  outputOrigin(amount: bigint, index: number, height?: number): OutputOrigin | undefined {
    return this.#read(() => this.#outputs.origin(amount, index, height));
  }

  outputCount(amount: bigint, belowHeight = Infinity): number {
    return this.#read(() => {
      if (!isUint64(amount) || !(belowHeight > 0)) return 0;
      return belowHeight >= this.height
        ? this.#outputs.count(amount)
        : this.#outputs.countBelow(amount, Math.ceil(belowHeight));
    });
  }

  *amounts(): Iterable<AmountCount> {
    for (const { key, value } of this.#rowsInSteps('output_count')) {
      yield { amount: amountOfKey(key), count: new RowReader('output_count', value).u32() };
    }
  }

  async prefetch(lookups: () => Lookups, signal?: AbortSignal): Promise<void> {
    if (this.#closed || !this.#prefetcher.isUseful) return;
    const { txIds, keyImages, outputs } = lookups();
    const wanted = [
      ...this.#hashes.wantedRows('tx_id', txIds.filter(isHash)),
      ...this.#hashes.wantedRows('key_image', keyImages.filter(isHash)),
      ...[...outputs].map(([amount, indices]) => this.#outputs.wantedRows(amount, indices)),
    ];
    await this.#prefetcher.read(wanted, signal);
  }

  altBlock(id: Uint8Array): AltBlock | undefined {
    return this.#read(() => {
      const row = isHash(id) ? this.#environment.view('alt_block', id) : undefined;
      return row && decodeAltBlock(id.slice(), row);
    });
  }

  get altBlockCount(): number {
    return this.#read(() => {
      const count = this.#altCount ?? this.#environment.keys('alt_block', Infinity).length;
      // A reader cannot cache it: another process changes the table.
      if (!this.#isLive) this.#altCount = count;
      return count;
    });
  }

  altBlocks(): AltBlock[] {
    return this.#read(() =>
      this.#environment
        .rows('alt_block', Infinity)
        .flatMap(({ key, value }) => (typeof key === 'number' ? [] : [decodeAltBlock(key, value)])),
    );
  }

  *poolTxs(): Iterable<PoolTx> {
    for (const { key, value } of this.#rowsInSteps('pool_meta')) {
      yield { id: key, meta: decodePoolMeta(value) };
    }
  }

  poolBlob(id: Uint8Array): Uint8Array | undefined {
    return this.#read(() => (isHash(id) ? this.#environment.get('pool_tx', id) : undefined));
  }

  property(name: string): Uint8Array | undefined {
    const key = new TextEncoder().encode(name);
    const isName = key.length >= 1 && key.length <= 255;
    return this.#read(() => (isName ? this.#environment.get('property', key) : undefined));
  }

  setProperty(name: string, value: Uint8Array | undefined): Promise<void> {
    return this.#write(async () => {
      const key = propertyKey(name);
      const row = { table: 'property', key, ...(value && { value: value.slice() }) } as const;
      await this.#environment.write([row]);
    });
  }

  get sizeOnDisk(): number {
    return this.#read(() => this.#environment.sizeOnDisk);
  }

  copyTo(folder: string, options: CopyOptions = {}): Promise<StoreCopy> {
    this.#checkOpen();
    return copyStore(this.#environment, folder, options);
  }

  openImage(): Promise<StoreImage> {
    this.#checkOpen();
    return openImage(this.#environment);
  }

  shareCommits(onCommit: OnCommit): Promise<CommitShare> {
    return this.#mutex.run(() => Promise.resolve(beginShare(this.#environment, onCommit)));
  }

  /** Follows another process to a commit; see `StoreFollower`. */
  follow(commit: number, newest: NewestCommit): boolean {
    return this.#read(() => {
      const before = topOf(this.#environment);
      if (!this.#environment.follow(commit, newest)) return false;
      this.#altCount = undefined;
      const top = topOf(this.#environment);
      if (!isSameTop(before, top)) this.#metas.clear();
      this.#height = top.height;
      return true;
    });
  }

  pageUse(): PageUse {
    return this.#read(() => this.#environment.pageUse());
  }

  sync(): Promise<void> {
    return this.#enqueue(() => this.#environment.sync());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#mutex.idle();
    this.#closed = true;
    await this.#environment.close();
    this.#lock?.release();
  }

  /** The committed state until the next commit, for the only writer. */
  get #index(): ChainIndex {
    return {
      height: this.height,
      heightOf: (id) => this.heightOf(id),
      heightsOf: this.#hashes.heightsBeforeStoring(),
    };
  }

  /** Whether what is read may change at any time. */
  get #isLive(): boolean {
    return this.#environment.readOnly && !this.#environment.follows;
  }

  /** Runs a read and turns LMDB's errors into StorageErrors. */
  #read<T>(work: () => T): T {
    this.#checkOpen();
    try {
      return work();
    } catch (error) {
      throw toStorageError(error, this.#environment.path);
    }
  }

  /** Iterates over the rows of a table with keys of bytes. */
  *#rowsInSteps(table: TableName): Iterable<Row<Uint8Array>> {
    let start: Uint8Array | undefined;
    for (;;) {
      const rows = this.#read(() => this.#environment.rows(table, ROWS_PER_STEP, start));
      const found = rows.filter((row): row is Row<Uint8Array> => typeof row.key !== 'number');
      yield* found;
      const last = found.at(-1)?.key;
      if (rows.length < ROWS_PER_STEP || last === undefined) return;
      start = keyAfter(last);
    }
  }

  #write(work: () => Promise<void>): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#environment.readOnly) {
        throw new StorageError('read-only', 'the store was opened for reading only');
      }
      this.#lock?.check();
      await work();
    });
  }

  async #enqueue(work: () => Promise<void>): Promise<void> {
    if (this.#closing !== undefined) throw closedError();
    try {
      await this.#mutex.run(work);
    } catch (error) {
      throw toStorageError(error, this.#environment.path);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }

  readonly #readMeta = (height: number): BlockMeta | undefined => {
    const row = isUint32(height) ? this.#environment.view('block_meta', height) : undefined;
    return row && decodeMeta(height, row);
  };
}
