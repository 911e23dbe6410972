import type { Yielder } from '@monero-node/base';
import { isPause, type HeightOfHash } from '../../change-check.ts';
import { HASH_SIZE } from '../../hash-bytes.ts';
import type { BlockRecord } from '../../records.ts';
import type { HashTable } from './hash-state.ts';

/** Finds hashes in the index as it is now. What a function returns is good until the next commit. */
export interface HashFinders {
  /** In memory and in the tables. */
  readonly everywhere: () => HeightOfHash;
  /** Only among the hashes that wait in memory. */
  readonly waiting: () => HeightOfHash;
}

/**
 * Looks up whether the hashes of blocks are new while LMDB's thread writes the blocks below, for which the calling thread would otherwise
 * wait. A hash that was absent then can only have come with the commit that was being written, and what a commit adds waits in memory
 * until a later one. So one commit later the waiting hashes are all that has to be asked.
 */
export class HashesAhead {
  readonly #finders: HashFinders;
  /** Commits that have changed the index. */
  #commits = 0;
  /** Blocks whose hashes were all absent, with the number of commits before the first look-up. */
  readonly #absent = new WeakMap<BlockRecord, number>();

  constructor(finders: HashFinders) {
    this.#finders = finders;
  }

  /** Looks up the hashes of blocks that are to be stored with the next commit, or with the one after it. */
  async lookUp(blocks: readonly BlockRecord[], yielder: Yielder): Promise<void> {
    for (const block of blocks) {
      const began = this.#commits;
      const isNew =
        (await this.#lackAll('tx_id', block.txs.ids, yielder)) &&
        (await this.#lackAll('key_image', block.keyImages, yielder));
      if (isNew) this.#absent.set(block, began);
    }
  }

  /** Returns what finds the height of a hash of a block that is about to be stored. Good until the next commit. */
  heights(): (block: BlockRecord) => HeightOfHash {
    const everywhere = this.#finders.everywhere();
    const waiting = this.#finders.waiting();
    return (block) => {
      const began = this.#absent.get(block);
      return began !== undefined && this.#commits - began <= 1 ? waiting : everywhere;
    };
  }

  /** Takes note of a commit that has changed the index. */
  changed(): void {
    this.#commits += 1;
  }

  /** Returns whether none of concatenated hashes is known. */
  async #lackAll(table: HashTable, hashes: Uint8Array, yielder: Yielder): Promise<boolean> {
    let at = this.#commits;
    let heightOf = this.#finders.everywhere();
    for (let i = 0; i < hashes.length; i += HASH_SIZE) {
      if (isPause(i) && yielder.due) await yielder.yieldNow();
      if (this.#commits !== at) heightOf = this.#finders.everywhere();
      at = this.#commits;
      if (heightOf(table, hashes, i) !== undefined) return false;
    }
    return true;
  }
}
