import type { RandomxCache } from './cache.ts';
import type { SharedMemory, WasmModule } from './webassembly.ts';

/** What a worker is started with. */
export interface RandomxWorkerData {
  /** argon2d.wasm */
  readonly argon2d: WasmModule;
  /** randomx.wasm */
  readonly machine: WasmModule;
}

/** To make a cache; answered with it. */
export interface CacheJob {
  readonly kind: 'cache';
  readonly memory: SharedMemory;
  readonly key: Uint8Array;
}

/** To hash a blob; answered with the 32 bytes. */
export interface HashJob {
  readonly kind: 'hash';
  readonly cache: RandomxCache;
  /** Numbers caches through: a new one may stand in the memory of an old one. */
  readonly cacheNumber: number;
  readonly blob: Uint8Array;
}

export type RandomxJob = CacheJob | HashJob;
