import { CompositePowHasher } from '../composite-hasher.ts';
import { CryptonightHasher } from '../cryptonight/hasher.ts';
import type { PowEngineOptions } from '../engine-options.ts';
import type { PowHasher } from '../pow-hasher.ts';
import { createRandomxWasmHasher } from '../randomx-wasm/hasher.ts';
import { RANDOMX_FLAGS, requireRandomxAddon } from './addon.ts';
import { NativeRandomxHasher } from './hasher.ts';
import { NativeNonceSearcher } from './searcher.ts';
import { NativeVersions } from './versions.ts';

/** Throws PowUnavailableError ('no-library') where native RandomX does not work. */
export function assertNative(): void {
  requireRandomxAddon();
}

/**
 * Returns the engine that computes RandomX with librandomx, and version 2 with WebAssembly where that library has none. Throws
 * PowUnavailableError ('no-library').
 */
export function createNativeEngine(options: PowEngineOptions): PowHasher {
  const { threads, datasetThreads, onDatasetProgress, isPlain = false } = options;
  const { datasetUse = 'never', onDatasetEvent, onV2Fallback, libraryFacts } = options;
  const addon = requireRandomxAddon();
  const disabledFlags = isPlain ? RANDOMX_FLAGS.jit : 0;
  const native = new NativeRandomxHasher(addon, threads, {
    disabledFlags,
    dataset: { use: datasetUse, threads: datasetThreads, onEvent: onDatasetEvent },
  });
  const randomx = new NativeVersions(native, {
    createFallback: () => createRandomxWasmHasher({ threads, caches: 1 }),
    onFallback: onV2Fallback,
    facts: libraryFacts,
  });
  return new CompositePowHasher(() => randomx.name, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
    createRandomxSearcher: () =>
      new NativeNonceSearcher(addon, native.caches, {
        datasetThreads,
        supports: (version) => randomx.isNative(version),
        ...(onDatasetProgress && { onDatasetProgress }),
      }),
  });
}
