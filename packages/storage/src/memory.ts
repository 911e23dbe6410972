/** The store in memory and what any store may throw. Nothing here loads lmdb, which has native code. */
export type { ChainReader } from './chain-reader.ts';
export type { ChainWriter } from './chain-writer.ts';
export type { ChainStore } from './chain-store.ts';
export { createMemoryStore } from './memory-store.ts';
export type { PoolStore } from './pool-store.ts';
export { StorageError } from './storage-error.ts';
export type { StorageErrorCode } from './storage-error.ts';
