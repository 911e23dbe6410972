import { fillMemory } from './argon2d.ts';
import { BlakeGenerator } from './blake-generator.ts';
import { CACHE_PAGES } from './cache-layout.ts';
import { compileSuperscalar } from './superscalar-compiler.ts';
import { generateSuperscalar, PROGRAMS } from './superscalar-generator.ts';
import { compileArgon2d } from './modules.ts';
import {
  compileModule,
  createSharedMemory,
  type SharedMemory,
  type WasmModule,
} from '../webassembly.ts';

/** A cache that machines on any thread can use. */
export interface RandomxCache {
  readonly memory: SharedMemory;
  /** The module that computes dataset items; superscalar-compiler.ts generates it. */
  readonly superscalar: WasmModule;
}

/**
 * Returns memory for a cache, 256 MiB.
 *
 * Throws PowUnavailableError ('no-memory').
 */
export function createCacheMemory(): SharedMemory {
  return createSharedMemory(CACHE_PAGES);
}

function superscalarModule(key: Uint8Array): WasmModule {
  const random = new BlakeGenerator(key);
  const programs = Array.from({ length: PROGRAMS }, () => generateSuperscalar(random));
  return compileModule(compileSuperscalar(programs));
}

/**
 * Makes the cache of a key in `memory`, overwriting its contents; takes about a second on the calling thread.
 *
 * @param key at most 60 bytes (a seed hash has 32)
 * @param argon2d the module argon2d.wasm
 * Throws RangeError for a longer key.
 */
export function createCache(
  memory: SharedMemory,
  key: Uint8Array,
  argon2d: WasmModule = compileArgon2d(),
): RandomxCache {
  const superscalar = superscalarModule(key);
  fillMemory(argon2d, memory, key);
  return { memory, superscalar };
}
