export type {
  AltBlock,
  AmountCount,
  BlockMeta,
  BlockRecord,
  ChainChange,
  ChainStore,
  LmdbStoreOptions,
  NewOutput,
  NewPoolTx,
  OutputOrigin,
  PoolTx,
  PoolTxMeta,
  StoredOutput,
  StoredTx,
  SyncMode,
  TxLocation,
} from './chain-store.ts';
export { openLmdbStore } from './lmdb/open.ts';
export { createMemoryStore } from './memory-store.ts';
export { StorageError } from './storage-error.ts';
export type { StorageErrorCode } from './storage-error.ts';
