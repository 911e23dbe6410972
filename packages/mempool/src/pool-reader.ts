import type { Yielder } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { Blockchain } from '@monero-node/blockchain';
import { fillBacklog } from './selection/block-selection.ts';
import type { PoolChanges } from './store/change-log.ts';
import { MAX_COMPLEMENT_BYTES } from './limits.ts';
import type { PoolEntry, PoolTransaction } from './store/pool-entry.ts';
import type { PoolState } from './store/pool-state.ts';
import { feeBands, type PoolFeeBands } from './stats/fee-bands.ts';
import { poolStats, poolTotals, type PoolStats, type PoolTotals } from './stats/pool-stats.ts';
import type { TxReadiness } from './selection/tx-readiness.ts';

/** Bytes of a transaction id. */
const ID_BYTES = 32;
/** Bytes of ids that are looked up before the event loop may get a turn. */
const BYTES_PER_STEP = 256 * ID_BYTES;

export interface PoolReaderDependencies {
  readonly chain: Pick<Blockchain, 'weightState'>;
  readonly state: PoolState;
  readonly readiness: TxReadiness;
}

/** Answers queries about the pool and changes nothing in it. Ids and key images are 32 bytes. */
export class PoolReader {
  readonly #chain: Pick<Blockchain, 'weightState'>;
  readonly #state: PoolState;
  readonly #readiness: TxReadiness;

  constructor({ chain, state, readiness }: PoolReaderDependencies) {
    this.#chain = chain;
    this.#state = state;
    this.#readiness = readiness;
  }

  /** All transactions, ordered by id as in monerod's database (last byte first). */
  transactions(): readonly PoolTransaction[] {
    return this.#state.byId;
  }

  transaction(id: Uint8Array): PoolTransaction | undefined {
    return this.#state.get(toHex(id));
  }

  isSpent(keyImage: Uint8Array, includePrivate: boolean): boolean {
    for (const entry of this.#state.spenders(keyImage)) {
      if (includePrivate || entry.broadcast) return true;
    }
    return false;
  }

  templateBacklog(): Promise<readonly PoolTransaction[]> {
    const { byFee } = this.#state;
    return fillBacklog(
      { byId: () => this.#visible(false), byFee: () => publicOnes(byFee) },
      this.#chain.weightState().effectiveMedian,
      (entry) => this.#readiness.checkInputs(entry) === true,
    );
  }

  totals(): Promise<PoolTotals> {
    return poolTotals(this.#state.entries);
  }

  feeBands(edges: readonly number[]): Promise<PoolFeeBands> {
    return feeBands(this.#state.entries, edges);
  }

  /** Number of transactions; only of public ones without `includePrivate`. */
  count(includePrivate: boolean): number {
    return includePrivate ? this.#state.size : this.#state.publicCount;
  }

  stats(now: number, includePrivate: boolean): Promise<PoolStats> {
    return poolStats(this.#visible(includePrivate), now);
  }

  changesSince(since: number, includePrivate: boolean): PoolChanges {
    return this.#state.log.since(since, includePrivate);
  }

  transactionBlob(id: Uint8Array): Uint8Array | undefined {
    return this.#state.get(toHex(id))?.blob;
  }

  publicIds(): Uint8Array[] {
    return this.#visible(false).map(({ id }) => id);
  }

  joinedPublicIds(most: number): Uint8Array {
    const entries = this.#visible(false);
    const ids = new Uint8Array(Math.min(most, entries.length) * ID_BYTES);
    for (let at = 0; at < ids.length; at += ID_BYTES) entries[at / ID_BYTES]?.copyId(ids, at);
    return ids;
  }

  async complement(known: Uint8Array, yielder: Yielder): Promise<Uint8Array[]> {
    const left = new Map(this.#visible(false).map((entry) => [entry.key, entry]));
    // The list may be far longer than the pool: it stays as it came, and only the pool's ids are held.
    for (let at = 0; at < known.length && left.size > 0; at += ID_BYTES) {
      left.delete(toHex(known.subarray(at, at + ID_BYTES)));
      if (at % BYTES_PER_STEP === 0) await yielder.yieldIfDue();
    }
    const blobs: Uint8Array[] = [];
    let bytes = 0;
    for (const [key, { blob }] of left) {
      if (this.#state.get(key) === undefined) continue;
      bytes += blob.length;
      if (bytes > MAX_COMPLEMENT_BYTES) break;
      blobs.push(blob);
    }
    return blobs;
  }

  #visible(includePrivate: boolean): readonly PoolEntry[] {
    const { byId } = this.#state;
    const all = includePrivate || this.#state.publicCount === byId.length;
    return all ? byId : byId.filter((entry) => entry.broadcast);
  }
}

function* publicOnes(entries: Iterable<PoolEntry>): Generator<PoolEntry, void> {
  for (const entry of entries) if (entry.broadcast) yield entry;
}
