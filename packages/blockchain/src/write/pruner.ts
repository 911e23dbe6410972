import { randomInt } from 'node:crypto';
import { Yielder } from '@monero-node/base';
import {
  hasWholeBlock,
  isPlausibleSeed,
  seedOfStripe,
  STRIPES,
  TIP_BLOCKS,
} from '@monero-node/consensus';
import { StorageError, type ChainReader, type ChainWriter } from '@monero-node/storage/memory';

const SEED_PROPERTY = 'pruning_seed';
const DONE_PROPERTY = 'pruned_below';
/** Blocks pruned in one commit. */
const BATCH = 200;

/**
 * Drops the prunable parts of transactions outside the node's own stripe and the newest 5,500 blocks; other nodes
 * keep them. Pruning cannot be undone.
 *
 * Source: src/common/pruning.cpp, and prune_worker in src/blockchain_db/lmdb/db_lmdb.cpp.
 */
export class Pruner {
  readonly #store: ChainReader & ChainWriter;
  readonly #randomStripe: () => number;

  /** @param randomStripe returns the stripe to keep, 1 to 8 */
  constructor(store: ChainReader & ChainWriter, randomStripe = () => randomInt(1, STRIPES + 1)) {
    this.#store = store;
    this.#randomStripe = randomStripe;
  }

  /** 384 to 391, or 0 when the chain is not pruned. Throws StorageError 'damaged' when the stored seed is impossible. */
  get seed(): number {
    const seed = this.#number(SEED_PROPERTY);
    if (!isPlausibleSeed(seed)) throw new StorageError('damaged', `pruning seed ${seed}`);
    return seed;
  }

  /** Chooses the stripe to keep, that of `seed` or a random one, unless it was chosen before. */
  async enable(seed = seedOfStripe(this.#randomStripe())): Promise<void> {
    if (this.seed !== 0) return;
    await this.#setNumber(SEED_PROPERTY, seed);
  }

  /**
   * Prunes up to 200 blocks that have become old since the last call; none on a chain that is not pruned.
   *
   * @returns whether more blocks are left to prune
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
   * Checks every block of the chain.
   *
   * @returns the height of the first block that lacks a prunable part which the seed requires; undefined when no
   *   block does
   */
  async findMissing(): Promise<number | undefined> {
    const { seed } = this;
    const { height } = this.#store;
    const yielder = new Yielder();
    for (let at = 0; at < height; at++) {
      const missing = this.#store.blockTxs(at).some((tx) => tx.dropped === true);
      if (missing && hasWholeBlock(at, height, seed)) return at;
      await yielder.yieldIfDue();
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
