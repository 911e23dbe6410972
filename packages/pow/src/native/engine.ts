import { CompositePowHasher } from '../composite-hasher.ts';
import { CryptonightHasher } from '../cryptonight/hasher.ts';
import type { PowEngineOptions } from '../engine-options.ts';
import type { PowHasher } from '../pow-hasher.ts';
import { RANDOMX_FLAGS, requireRandomxAddon } from './addon.ts';
import { NativeRandomxHasher } from './hasher.ts';
import { NativeNonceSearcher } from './searcher.ts';

/** Throws PowUnavailableError ('no-library') where native RandomX does not work. */
export function assertNative(): void {
  requireRandomxAddon();
}

/** Returns the engine that computes RandomX with librandomx. Throws PowUnavailableError ('no-library'). */
export function createNativeEngine(options: PowEngineOptions): PowHasher {
  const { threads, datasetThreads, onDatasetProgress, isPlain = false } = options;
  const { datasetUse = 'never', onDatasetEvent } = options;
  const addon = requireRandomxAddon();
  const disabledFlags = isPlain ? RANDOMX_FLAGS.jit : 0;
  const randomx = new NativeRandomxHasher(addon, threads, {
    disabledFlags,
    dataset: { use: datasetUse, threads: datasetThreads, onEvent: onDatasetEvent },
  });
  return new CompositePowHasher(randomx.name, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
    createRandomxSearcher: () =>
      new NativeNonceSearcher(addon, randomx.caches, {
        datasetThreads,
        ...(onDatasetProgress && { onDatasetProgress }),
      }),
  });
}
