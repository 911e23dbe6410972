import type { RandomxCache } from './cache.ts';
import type { RandomxVersion } from '../pow-hasher.ts';
import type { SharedMemory, WasmModule } from '../webassembly.ts';

/** The data that a worker is started with. */
export interface RandomxWorkerData {
  /** argon2d.wasm */
  readonly argon2d: WasmModule;
  /** randomx.wasm */
  readonly machine: WasmModule;
}

/** A job to make a cache; the answer is the cache. */
export interface CacheJob {
  readonly kind: 'cache';
  readonly memory: SharedMemory;
  readonly key: Uint8Array;
}

/** A job to hash a blob; the answer is the 32-byte hash. */
export interface HashJob {
  readonly kind: 'hash';
  readonly cache: RandomxCache;
  /** Unique for each cache, as a new cache may reuse the memory of an old one. */
  readonly cacheNumber: number;
  readonly blob: Uint8Array;
  readonly version: RandomxVersion;
}

export type RandomxJob = CacheJob | HashJob;
