import { Yielder } from '@monero-node/base';
import type { TxLocation } from '../records.ts';
import { chainHeight } from './chain-height.ts';
import type { Environment } from './environment.ts';
import { damaged } from './errors.ts';
import { HashChange } from './hash-change.ts';
import {
  emptyState,
  heightOfPlace,
  isWritten,
  placeOf,
  positionOfPlace,
  waitingCount,
} from './hash-state.ts';
import type { HashTable } from './hash-state.ts';
import { keyAfter } from './keys.ts';
import { RowReader } from './row-reader.ts';
import { PackedTxs } from './tx-pack.ts';
import { SLICES } from './waiting-hashes.ts';

/**
 * Hashes waiting for each row of the tables. A page holds some 60 rows, so a slice that is written brings
 * seven or eight new ones to each of its pages; more would cost memory and gain little.
 */
const WAITING_SHARE = 1 / 8;
/** Small tables fit the caches, whatever is written to them. */
const LEAST_SHARE = 2 ** 14;

/**
 * Finds transaction ids and key images. Their tables are written late: a hash falls on a page of its
 * own wherever it is put, and a page copied, written and freed for each of them is what a commit costs
 * most once the tables are large. So the hashes of the newest blocks wait in memory (they also stand
 * in the `txs` rows, from which they are read again at the start) and each commit writes a few slices
 * of them, many hashes a page. `hash_slice` says how far each slice has been written.
 *
 * A writer's hashes move on with its commits; a reader looks at each call whether the chain has moved.
 */
export class HashIndex {
  readonly #environment: Environment;
  readonly #limit: number;
  #state = emptyState();
  /** Up to where the blocks have been taken in; kept by readers only. */
  #seen = { height: 0, topId: '' };

  /** @param limit how many hashes may wait in memory at most */
  constructor(environment: Environment, limit: number) {
    this.#environment = environment;
    this.#limit = limit;
  }

  /** How many hashes may wait beside tables as large as they are. */
  get #share(): number {
    const rows = this.#environment.rowCount('tx_id') + this.#environment.rowCount('key_image');
    return Math.min(this.#limit, Math.max(LEAST_SHARE, rows * WAITING_SHARE));
  }

  /** Takes in the hashes that wait. @throws StorageError `damaged` */
  async load(): Promise<void> {
    if (this.#environment.readOnly) {
      this.#follow();
      return;
    }
    const yielder = new Yielder();
    const height = chainHeight(this.#environment);
    this.#readWritten(height);
    for (let at = this.#oldestWaiting; at < height; at += 1) {
      this.#loadBlock(at);
      await yielder.yieldIfDue();
    }
  }

  /** @param id 32 bytes */
  txLocation(id: Uint8Array): TxLocation | undefined {
    const place = this.#find('tx_id', id);
    return place === undefined
      ? undefined
      : { height: heightOfPlace(place), position: positionOfPlace(place) };
  }

  /** @param keyImage 32 bytes */
  keyImageHeight(keyImage: Uint8Array): number | undefined {
    const place = this.#find('key_image', keyImage);
    return place === undefined ? undefined : heightOfPlace(place);
  }

  /** Up to `limit` transaction ids above `after`, in order. */
  txIds(after: Uint8Array | undefined, limit: number): Uint8Array[] {
    this.#follow();
    const written = this.#environment
      .keys('tx_id', limit, after && keyAfter(after))
      .filter((key) => typeof key !== 'number');
    // Above the last of a full share there may be others in the table.
    const last = written.length < limit ? undefined : written.at(-1);
    const waiting = this.#state.waiting.tx_id.hashesBetween(after, last, limit);
    if (waiting.length === 0) return written;
    return [...written, ...waiting].sort((a, b) => Buffer.compare(a, b)).slice(0, limit);
  }

  /** Whether the tables ought to have the hashes of the block that begin as this one does. */
  isWritten(hash: Uint8Array, height: number): boolean {
    return isWritten(this.#state, hash, height);
  }

  /** @param base height that the blocks of the change start from */
  begin(base: number): HashChange {
    return new HashChange(this.#state, base, this.#share);
  }

  #find(table: HashTable, hash: Uint8Array): number | undefined {
    this.#follow();
    const place = this.#state.waiting[table].get(hash);
    if (place !== undefined) return place;
    const value = this.#environment.view(table, hash);
    if (value === undefined) return undefined;
    const row = new RowReader(table, value);
    return placeOf(row.u32(), table === 'tx_id' ? row.u32() : 0);
  }

  /** Lets a reader catch up with the writer. Hashes written since may stay: their places are the same. */
  #follow(): void {
    if (!this.#environment.readOnly) return;
    const seen = this.#seen;
    const height = chainHeight(this.#environment);
    const isOnTop = this.#blockIdBelow(seen.height) === seen.topId;
    if (isOnTop && height === seen.height) return;
    const goesOn = isOnTop && waitingCount(this.#state) <= 2 * this.#limit;
    if (!goesOn) this.#state = emptyState();
    this.#readWritten(height);
    const start = Math.max(goesOn ? seen.height : 0, this.#oldestWaiting);
    for (let at = start; at < height; at += 1) this.#loadBlock(at);
    this.#seen = { height, topId: this.#blockIdBelow(height) };
  }

  get #oldestWaiting(): number {
    return Math.min(...this.#state.written);
  }

  #readWritten(chainLength: number): void {
    for (let slice = 0; slice < SLICES; slice += 1) {
      const row = this.#environment.view('hash_slice', slice);
      const height = row === undefined ? 0 : new RowReader('hash_slice', row).u32();
      if (height > chainLength) throw damaged('hashes are written beyond the end of the chain');
      this.#state.written[slice] = height;
    }
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

  /** Id of the topmost block below the height, in hex; empty if there is none. */
  #blockIdBelow(height: number): string {
    const row = height > 0 ? this.#environment.view('block_meta', height - 1) : undefined;
    return row === undefined ? '' : Buffer.from(row.subarray(0, 32)).toString('hex');
  }
}
