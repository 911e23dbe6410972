import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  hasWholeBlock,
  isPlausibleSeed,
  seedOfStripe,
  STRIPES,
  TIP_BLOCKS,
} from '@monero-node/consensus';
import { StorageError, type ChainReader, type ChainWriter } from '@monero-node/storage';

const SEED_PROPERTY = 'pruning_seed';
const DONE_PROPERTY = 'pruned_below';
/** Blocks pruned in one commit. */
const BATCH = 200;

/**
 * Drops the prunable parts of old transactions that other nodes keep: everything outside the node's own
 * stripe and the newest 5,500 blocks. Once begun it cannot be undone.
 *
 * Source: src/common/pruning.cpp; src/blockchain_db/lmdb/db_lmdb.cpp, prune_worker.
 */
export class Pruner {
  readonly #store: ChainReader & ChainWriter;
  readonly #randomStripe: () => number;

  /** @param randomStripe chooses the stripe to keep, 1 to 8. */
  constructor(store: ChainReader & ChainWriter, randomStripe = () => randomInt(1, STRIPES + 1)) {
    this.#store = store;
    this.#randomStripe = randomStripe;
  }

  /** 384 to 391, or 0 when the chain is not pruned. @throws StorageError 'damaged' */
  get seed(): number {
    const seed = this.#number(SEED_PROPERTY);
    if (!isPlausibleSeed(seed)) throw new StorageError('damaged', `pruning seed ${seed}`);
    return seed;
  }

  /** Chooses a stripe to keep, unless that was done before. */
  async enable(): Promise<void> {
    if (this.seed !== 0) return;
    await this.#setNumber(SEED_PROPERTY, seedOfStripe(this.#randomStripe()));
  }

  /**
   * Prunes some of what has grown old since the last time; nothing on a chain that is not pruned.
   *
   * @returns whether there is more.
   */
  async step(): Promise<boolean> {
    const { seed } = this;
    const store = this.#store;
    if (seed === 0) return false;
    const height = this.#number(DONE_PROPERTY);
    const limit = store.height - TIP_BLOCKS;
    if (height >= limit) return false;
    const end = Math.min(height + BATCH, limit);
    await store.commit({ prune: this.#droppable(height, end, seed) });
    await this.#setNumber(DONE_PROPERTY, end);
    return end < limit;
  }

  /**
   * Looks at every block.
   *
   * @returns the height of a block that is not held as the seed demands: a part is missing that
   *   ought to be there; undefined when all is well.
   */
  async findMissing(): Promise<number | undefined> {
    const { seed } = this;
    const { height } = this.#store;
    for (let at = 0; at < height; at++) {
      const missing = this.#store.blockTxs(at).some((tx) => tx.dropped === true);
      if (missing && hasWholeBlock(at, height, seed)) return at;
      if (at % 10 === 0) await nextTurn();
    }
    return undefined;
  }

  #droppable(from: number, to: number, seed: number): number[] {
    const { height } = this.#store;
    const heights = Array.from({ length: to - from }, (_, i) => from + i);
    return heights.filter((at) => !hasWholeBlock(at, height, seed));
  }

  #number(name: string): number {
    const value = this.#store.property(name);
    return value?.length === 4 ? Buffer.from(value).readUInt32LE() : 0;
  }

  async #setNumber(name: string, value: number): Promise<void> {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    await this.#store.setProperty(name, bytes);
  }
}
