import { availableParallelism } from 'node:os';
import { CompositePowHasher } from './composite-hasher.ts';
import { CryptonightHasher } from './cryptonight/hasher.ts';
import { requireRandomxAddon } from './native/addon.ts';
import { NativeRandomxHasher } from './native/hasher.ts';
import { NativeNonceSearcher } from './native/searcher.ts';
import type { PowHasher } from './pow-hasher.ts';

/** Options of {@link createPowHasher}. */
export interface PowHasherOptions {
  /** Hashes computed at once; default: one per core. */
  readonly threads?: number;
  /** Told while the memory for mining is being prepared: 0 to 1. */
  readonly onDatasetProgress?: (fraction: number) => void;
}

/**
 * The best proof-of-work hasher of this machine.
 *
 * @throws PowUnavailableError when no implementation is available.
 */
export function createPowHasher(options: PowHasherOptions = {}): PowHasher {
  const threads = options.threads ?? availableParallelism();
  const addon = requireRandomxAddon();
  const randomx = new NativeRandomxHasher(addon, threads);
  const { onDatasetProgress } = options;
  return new CompositePowHasher(randomx.name, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
    createRandomxSearcher: () =>
      new NativeNonceSearcher(addon, randomx.caches, {
        datasetThreads: availableParallelism(),
        ...(onDatasetProgress && { onDatasetProgress }),
      }),
  });
}
