import type { ChainStore } from '../../chain-store.ts';
import type { CommitShare, OnCommit } from './commit-share.ts';
import type { CopyOptions, StoreCopy } from '../files/copy-store.ts';
import type { StoreImage } from '../files/store-image.ts';

/** A store that can be copied while it is in use. */
export interface CopyableStore extends ChainStore {
  /**
   * Copies the newest commit, completely and without later ones, to a data file in a new folder, and flushes it. Reads and
   * commits go on; the store must not be closed meanwhile. `checkCopy` checks the copy.
   *
   * Throws StorageError, and the reason of the signal. After an error the caller removes the folder.
   */
  copyTo(folder: string, options?: CopyOptions): Promise<StoreCopy>;

  /**
   * Keeps the newest commit for reading, byte by byte. Reads and commits go on; the store must not be closed while the image is
   * open. Throws StorageError.
   */
  openImage(): Promise<StoreImage>;

  /**
   * Begins to tell processes that follow this store (see `openFollower`) what to read. `onCommit` is called after each commit,
   * once reads see it, with the reason when it cannot be shared. Throws StorageError.
   */
  shareCommits(onCommit: OnCommit): Promise<CommitShare>;
}
