/**
 * The store in memory, what any store may throw, and the hashes in the joined bytes of a record. Nothing
 * here loads lmdb, which has native code.
 */
export type { ChainReader } from './chain-reader.ts';
export type { ChainWriter } from './chain-writer.ts';
export type { ChainStore } from './chain-store.ts';
export { HASH_SIZE, hashesIn, putHash } from './hash-bytes.ts';
export { createMemoryStore } from './memory-store.ts';
export type { PoolStore } from './pool-store.ts';
export { StorageError } from './storage-error.ts';
export type { StorageErrorCode } from './storage-error.ts';
export { TREE_ROWS_PER_STEP } from './tree-store.ts';
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
