import type { AltBlock, BlockRecord } from './records.ts';
import type { TreeStore } from './tree-store.ts';

/**
 * One atomic step of the chain, applied in this order: pop, prune, append, removeAlt, putAlt.
 * The caller must not change it before the commit settles.
 */
export interface ChainChange {
  /** Chain height after popping and before appending. */
  popTo?: number | undefined;
  append?: readonly BlockRecord[];
  /**
   * Heights, below the appended blocks, whose prunable parts are dropped for good. Version 1 transactions keep
   * theirs.
   */
  prune?: readonly number[];
  /** Replaces an alternative block of the same id. */
  putAlt?: readonly AltBlock[] | undefined;
  /** Ids; unknown ones are ignored. */
  removeAlt?: readonly Uint8Array[] | undefined;
  /**
   * Changes the curve tree with the blocks, in steps: what belongs to them is its own business. It gets the tree as it is before, or an empty
   * one where `popTo` is 0, and is called at most once. What it throws rejects the commit.
   */
  tree?: ((tree: TreeStore) => Generator<undefined, void>) | undefined;
}

/** Changes the chain, the alternative blocks and the named properties. */
export interface ChainWriter {
  /**
   * Applies a change as one storage transaction, all or nothing. Commits are applied one at a time, in the order
   * of the calls. Rejects with a StorageError (`duplicate-key-image`, `duplicate-tx`, `duplicate-block`,
   * `bad-height`, `bad-record`, `read-only`, `closed`, `io`) and leaves the store untouched.
   *
   * Long changes are prepared in short stretches but handed to the database in one: LMDB blocks the calling thread
   * for about 2 µs per row, so a span of 100 blocks of 40 transactions (19,000 rows) blocks it for about 25 ms.
   * Pop thousands of blocks in several commits.
   *
   * @param onQueued called when the calling thread has done its part of a change that obeys the rules, if the database then writes
   *   it on another thread: others may use the time
   */
  commit(change: ChainChange, onQueued?: () => void): Promise<void>;

  /**
   * Looks up whether hashes of blocks are new that are to be appended by the next commit, or by the one after it: the commit then has less to
   * do. It can be called while a change is written, and changes no outcome. Rejects with a StorageError (`damaged`).
   *
   * @param blocks the very records that are appended later; they must not change
   */
  lookAhead(blocks: readonly BlockRecord[]): Promise<void>;

  /**
   * Stores a named value, or removes it when the value is undefined. A name has 1 to 255 bytes in UTF-8. Rejects
   * with a StorageError (`bad-record`, `read-only`, `closed`, `io`).
   */
  setProperty(name: string, value: Uint8Array | undefined): Promise<void>;
}
