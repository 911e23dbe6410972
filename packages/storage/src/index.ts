export type {
  AltBlock,
  AmountCount,
  BlockMeta,
  BlockOutputs,
  BlockRecord,
  BlockTxs,
  OutputOrigin,
  OutputSlot,
  StoredOutput,
  StoredTx,
  TxLocation,
} from './records.ts';
export { recordOf, type LooseBlock, type NewOutput } from './record-objects.ts';
export type { ChainReader, Lookups } from './chain-reader.ts';
export type { ChainChange, ChainWriter } from './chain-writer.ts';
export type { PageUse } from './page-use.ts';
export type { NewPoolTx, PoolChange, PoolStore, PoolTx, PoolTxMeta } from './pool-store.ts';
export type { ChainStore, StoreChange } from './chain-store.ts';
export type { LmdbStoreOptions, SyncMode } from './lmdb/options.ts';
export { openLmdbStore } from './lmdb/open.ts';
export { checkNotInUse } from './lmdb/files/process-lock.ts';
export { createMemoryStore } from './memory-store.ts';
export { StorageError, type StorageErrorCode } from './storage-error.ts';
export { makeFolder } from './make-folder.ts';
export { describeSystemError, freeBytes, namingFile, systemCodeOf } from './system-error.ts';
export { findMonerodDatabase } from './monerod/locate.ts';
export { MonerodDatabase } from './monerod/monerod-database.ts';
export { MonerodDatabaseError } from './monerod/monerod-database-error.ts';
export type { CopyableStore } from './lmdb/store/copyable-store.ts';
export type { CommitShare, OnCommit } from './lmdb/store/commit-share.ts';
export { openFollower, type StoreFollower } from './lmdb/follow/open-follower.ts';
export type { StoreCopy } from './lmdb/files/copy-store.ts';
export { requireSpace } from './lmdb/files/require-space.ts';
export type { StoreImage } from './lmdb/files/store-image.ts';
export type { ChainTop } from './lmdb/files/snapshot.ts';
export { checkCopy } from './care/check-copy.ts';
export { StoreCheck, type BlockContent } from './care/store-check.ts';
export type { RowTotals } from './care/row-totals.ts';
export type { Finding } from './care/finding.ts';
export type { SideRow } from './care/side-rows.ts';
export { compactStore } from './care/compact-store.ts';
export { readStoreFacts, type StoreFacts } from './care/store-facts.ts';
export type {
  StoredTreeReader,
  NodeRun,
  TreeCut,
  TreeOutput,
  TreeReader,
  TreeState,
  TreeStep,
  TreeStore,
} from './tree-store.ts';
