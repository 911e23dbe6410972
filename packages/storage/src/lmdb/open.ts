import type { ChainStore, LmdbStoreOptions } from '../chain-store.ts';
import { StorageError } from '../storage-error.ts';

/** Opens (or makes) a store on disk. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<ChainStore> {
  throw new StorageError('io', `no store can be opened at ${options.path} yet`);
}
