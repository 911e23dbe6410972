import type { ChainReader } from './chain-reader.ts';
import type { ChainChange, ChainWriter } from './chain-writer.ts';
import type { PoolChange, PoolStore } from './pool-store.ts';

/** One atomic step of the chain and the pool together; the pool's part is applied last. */
export interface StoreChange extends ChainChange, PoolChange {}

/**
 * A whole store, as the composition root opens and closes it. Each user is given only the part it needs:
 * {@link ChainReader}, {@link ChainWriter} or {@link PoolStore}.
 */
export interface ChainStore extends ChainReader, ChainWriter, PoolStore {
  /** Applies a change as one storage transaction; see {@link ChainWriter.commit}. */
  commit(change: StoreChange, onQueued?: () => void): Promise<void>;
  /** Resolves when everything committed so far has reached the disk, whatever the sync mode. */
  sync(): Promise<void>;
  /**
   * Waits for pending commits and releases everything. May be called twice. Afterwards every other call throws, or
   * rejects with, a StorageError `closed`.
   */
  close(): Promise<void>;
}
