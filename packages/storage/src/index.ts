export type {
  AltBlock,
  AmountCount,
  BlockMeta,
  BlockRecord,
  NewOutput,
  OutputOrigin,
  StoredOutput,
  StoredTx,
  TxLocation,
} from './records.ts';
export type { ChainReader } from './chain-reader.ts';
export type { ChainChange, ChainWriter } from './chain-writer.ts';
export type { PageUse } from './page-use.ts';
export type { NewPoolTx, PoolChange, PoolStore, PoolTx, PoolTxMeta } from './pool-store.ts';
export type { ChainStore, StoreChange } from './chain-store.ts';
export type { LmdbStoreOptions, SyncMode } from './lmdb/options.ts';
export { openLmdbStore } from './lmdb/open.ts';
export { createMemoryStore } from './memory-store.ts';
export { StorageError } from './storage-error.ts';
export type { StorageErrorCode } from './storage-error.ts';
export { makeFolder } from './make-folder.ts';
export { describeSystemError, systemCodeOf } from './system-error.ts';
export { findMonerodDatabase } from './monerod/locate.ts';
export { MonerodDatabase } from './monerod/monerod-database.ts';
export { MonerodDatabaseError } from './monerod/monerod-database-error.ts';
