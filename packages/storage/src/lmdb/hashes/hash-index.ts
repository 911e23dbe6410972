import { Yielder } from '@monero-node/base';
import type { HeightOfHash } from '../../change-check.ts';
import type { BlockRecord, TxLocation } from '../../records.ts';
import { AbsentHashes } from './absent-hashes.ts';
import { chainHeight } from '../files/chain-height.ts';
import type { Environment } from '../files/environment.ts';
import { damaged } from '../errors.ts';
import { HashChange } from './hash-change.ts';
import { HashesAhead } from './hashes-ahead.ts';
import {
  emptyHashState,
  heightOfPlace,
  isWritten,
  placeOf,
  positionOfPlace,
  waitingCount,
  type HashTable,
} from './hash-state.ts';
import { keyAfter } from '../tables/keys.ts';
import { ReadAhead } from '../files/read-ahead.ts';
import type { Prefetcher, WantedRows } from '../files/prefetcher.ts';
import { bucketOf, RECENT_TABLES } from './recent-bucket.ts';
import type { RecentHashes } from './recent-hashes.ts';
import { HASH_SIZE, putHash } from '../../hash-bytes.ts';
import { RowReader } from '../tables/rows.ts';
import { PackedTxs } from '../tables/tx-pack.ts';
import { sliceOf, SLICES } from './waiting-hashes.ts';

/**
 * Waiting hashes allowed per row of the tables. A page holds about 60 rows, so writing a slice adds seven or
 * eight rows to each of its pages. A larger share would cost memory and gain little.
 */
const WAITING_SHARE = 1 / 8;
/** Waiting hashes allowed beside small tables, which fit the processor's caches anyway. */
const LEAST_SHARE = 2 ** 14;

/** The parts of a HashIndex, all of one environment. */
export interface HashIndexParts {
  readonly environment: Environment;
  readonly recent: RecentHashes;
  readonly prefetcher: Prefetcher;
}

/**
 * Finds transaction ids and key images.
 *
 * Hashes arrive in random order. Written at once, each would land on a page of its own, and copying, writing
 * and freeing those pages would dominate the cost of a commit once the tables are large. The tables are
 * therefore written late: the hashes of the newest blocks wait in memory, and each commit writes a few slices
 * of them (a slice is all hashes with the same first byte), many hashes per page. When the tables are large, these hashes
 * are collected once more on their way, see RecentHashes. The table `hash_slice` holds the height up to which each slice
 * has been written. The `txs` rows contain every hash as well, so a start reads the waiting ones from there.
 *
 * In a writer the index changes with its commits. A reader checks at each call whether the chain has changed.
 */
export class HashIndex {
  readonly #environment: Environment;
  readonly #limit: number;
  readonly #recent: RecentHashes;
  readonly #prefetcher: Prefetcher;
  readonly #absent = new AbsentHashes();
  readonly #ahead = new HashesAhead({
    everywhere: () => this.#heights(),
    waiting: () => this.#waitingHeights(),
  });
  #state = emptyHashState();
  /** The chain when its blocks were last read; used by readers only. */
  #seen = { height: 0, topId: '' };
  /** The commit that a follower of another process read then. */
  #followed = 0;

  /** @param limit how many hashes may wait in memory at most */
  constructor({ environment, recent, prefetcher }: HashIndexParts, limit: number) {
    this.#environment = environment;
    this.#limit = limit;
    this.#recent = recent;
    this.#prefetcher = prefetcher;
  }

  /** Hashes that may wait, given the present size of the tables. */
  get #share(): number {
    const rows = this.#environment.rowCount('tx_id') + this.#environment.rowCount('key_image');
    return Math.min(this.#limit, Math.max(LEAST_SHARE, rows * WAITING_SHARE));
  }

  /** Reads the waiting hashes from the newest blocks. Throws StorageError `damaged`. */
  async load(): Promise<void> {
    if (this.#environment.readOnly) {
      this.#follow();
      return;
    }
    const yielder = new Yielder();
    const height = chainHeight(this.#environment);
    this.#readWritten(height);
    const ahead = new ReadAhead(this.#environment, 'txs', this.#oldestWaiting, height);
    for (let at = this.#oldestWaiting; at < height; at += 1) {
      await ahead.reach(at);
      this.#loadBlock(at);
      await yielder.yieldIfDue();
    }
  }

  /** Returns where the chain holds a transaction, by its 32-byte id. */
  txLocation(id: Uint8Array): TxLocation | undefined {
    const place = this.#find('tx_id', id);
    return place === undefined
      ? undefined
      : { height: heightOfPlace(place), position: positionOfPlace(place) };
  }

  /** Returns the height of the block that spent a key image (32 bytes). */
  keyImageHeight(keyImage: Uint8Array): number | undefined {
    const place = this.#find('key_image', keyImage);
    return place === undefined ? undefined : heightOfPlace(place);
  }

  /**
   * Looks up the hashes of blocks that are to be stored with the next commit or the one after it, so that this need not be done then.
   * It can be called while a commit is written.
   */
  async lookAhead(blocks: readonly BlockRecord[]): Promise<void> {
    await this.#ahead.lookUp(blocks, new Yielder());
  }

  /** Returns what finds the height of the block with a hash of one that is about to be stored. Good until the next commit. */
  heightsBeforeStoring(): (block: BlockRecord) => HeightOfHash {
    return this.#ahead.heights();
  }

  /** Returns what finds the height of a hash that waits, until the next commit. */
  #waitingHeights(): HeightOfHash {
    return (table, source, offset) => {
      const place = this.#state.waiting[table].get(source, offset);
      return place === undefined ? undefined : heightOfPlace(place);
    };
  }

  /** Returns what finds the height of any hash, until the next commit. An absent one is not remembered. */
  #heights(): HeightOfHash {
    const isEmpty = this.#recent.emptyTables();
    // One array for all: a view of each would be more work than the look-up.
    const hash = new Uint8Array(HASH_SIZE);
    return (table, source, offset) => {
      const waiting = this.#state.waiting[table].get(source, offset);
      if (waiting !== undefined) return heightOfPlace(waiting);
      if (this.#absent.has(table, source, offset)) return undefined;
      putHash(hash, 0, source, offset);
      const value = isEmpty[table] ? this.#environment.view(table, hash) : this.row(table, hash);
      return value && new RowReader(table, value).u32();
    };
  }

  /** Returns up to `limit` transaction ids above `after`, ascending. */
  txIds(after: Uint8Array | undefined, limit: number): Uint8Array[] {
    this.#follow();
    const written = this.#environment
      .keys('tx_id', limit, after && keyAfter(after))
      .filter((key) => typeof key !== 'number');
    // When the table returned all it was asked for, it may hold more ids above the last one.
    const last = written.length < limit ? undefined : written.at(-1);
    const recent = this.#recent.txIdsBetween(after, last, limit);
    const waiting = this.#state.waiting.tx_id.hashesBetween(after, last, limit);
    if (recent.length === 0 && waiting.length === 0) return written;
    const all = [...written, ...recent, ...waiting];
    all.sort((a, b) => Buffer.compare(a, b));
    // A reader may keep a hash in memory that the writer has written since.
    const each = all.filter((id, i) => i === 0 || Buffer.compare(id, all[i - 1] ?? id) !== 0);
    return each.slice(0, limit);
  }

  /** Returns the rows that looking up hashes (32 bytes each) will read. */
  wantedRows(table: HashTable, hashes: readonly Uint8Array[]): WantedRows[] {
    const waiting = this.#state.waiting[table];
    const unknown = hashes.filter(
      (hash) => waiting.get(hash) === undefined && !this.#absent.has(table, hash),
    );
    return [
      { table: RECENT_TABLES[table], keys: unknown.map((hash) => bucketOf(hash)) },
      { table, keys: unknown },
    ];
  }

  /** Returns a view of the row of a hash (32 bytes) that does not wait, valid until the next read. */
  row(table: HashTable, hash: Uint8Array): Uint8Array | undefined {
    return this.#recent.value(table, hash) ?? this.#environment.view(table, hash);
  }

  /** Returns whether a hash of the block at this height must be in the tables, and not among the waiting ones. */
  isWritten(hash: Uint8Array, height: number): boolean {
    return isWritten(this.#state, hash, height);
  }

  /** Begins a change whose first appended block has the height `base`. */
  begin(base: number): HashChange {
    const parts = {
      state: this.#state,
      absent: this.#absent,
      recent: this.#recent.begin(),
      prefetcher: this.#prefetcher,
      onApplied: () => {
        this.#ahead.changed();
      },
    };
    return new HashChange(parts, base, this.#share);
  }

  #find(table: HashTable, hash: Uint8Array): number | undefined {
    this.#follow(sliceOf(hash));
    const place = this.#state.waiting[table].get(hash);
    if (place !== undefined) return place;
    // Another process may write while this one only reads.
    const { readOnly } = this.#environment;
    if (!readOnly && this.#absent.has(table, hash)) return undefined;
    const value = this.row(table, hash);
    if (value === undefined) {
      if (!readOnly) this.#absent.add(table, hash);
      return undefined;
    }
    const row = new RowReader(table, value);
    return placeOf(row.u32(), table === 'tx_id' ? row.u32() : 0);
  }

  /**
   * Lets a reader catch up with the writer, for the hashes of one slice at least. Hashes written meanwhile may stay in
   * memory: their places are the same.
   */
  #follow(slice?: number): void {
    if (!this.#environment.readOnly) return;
    const { follows, followed } = this.#environment;
    if (follows && this.#followed === followed) return;
    this.#followed = followed;
    const seen = this.#seen;
    const height = chainHeight(this.#environment);
    const isOnTop = this.#blockIdBelow(seen.height) === seen.topId;
    const isMoved = !isOnTop || height !== seen.height;
    if (!isMoved && !this.#isTakenBack(follows ? undefined : slice)) return;
    const goesOn = isOnTop && !this.#isTakenBack() && waitingCount(this.#state) <= 2 * this.#limit;
    if (!goesOn) this.#state = emptyHashState();
    this.#readWritten(height);
    const start = Math.max(goesOn ? seen.height : 0, this.#oldestWaiting);
    for (let at = start; at < height; at += 1) this.#loadBlock(at);
    this.#seen = { height, topId: this.#blockIdBelow(height) };
  }

  /**
   * Returns whether a slice, or any, is written up to a lower height than when it was read last. Blocks have then been popped,
   * perhaps appended again since, so that the chain looks as it did: their hashes left the tables and wait once more.
   */
  #isTakenBack(slice?: number): boolean {
    const lowered = (at: number): boolean =>
      this.#writtenHeight(at) < (this.#state.written[at] ?? 0);
    return slice === undefined ? this.#state.written.some((_, at) => lowered(at)) : lowered(slice);
  }

  get #oldestWaiting(): number {
    return Math.min(...this.#state.written);
  }

  #readWritten(chainLength: number): void {
    for (let slice = 0; slice < SLICES; slice += 1) {
      const height = this.#writtenHeight(slice);
      if (height > chainLength) throw damaged('hashes are written beyond the end of the chain');
      this.#state.written[slice] = height;
    }
  }

  /** Returns the height up to which a slice is written, read from the table. */
  #writtenHeight(slice: number): number {
    const row = this.#environment.view('hash_slice', slice);
    return row === undefined ? 0 : new RowReader('hash_slice', row).u32();
  }

  #loadBlock(height: number): void {
    const row = this.#environment.view('txs', height);
    if (row === undefined) throw damaged(`block ${height} is incomplete`);
    const packed = new PackedTxs(row);
    for (let position = 0; position < packed.txCount; position += 1) {
      this.#wait('tx_id', packed.id(position), placeOf(height, position));
    }
    for (const keyImage of packed.keyImages()) {
      this.#wait('key_image', keyImage, placeOf(height, 0));
    }
  }

  #wait(table: HashTable, hash: Uint8Array, place: number): void {
    if (this.isWritten(hash, heightOfPlace(place))) return;
    this.#state.waiting[table].set(hash, 0, place);
  }

  /** Returns the id of the block below the height, in hex; an empty string when there is none. */
  #blockIdBelow(height: number): string {
    const row = height > 0 ? this.#environment.view('block_meta', height - 1) : undefined;
    return row === undefined ? '' : Buffer.from(row.subarray(0, 32)).toString('hex');
  }
}
