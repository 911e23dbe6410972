import { availableParallelism } from 'node:os';
import { CompositePowHasher } from './composite-hasher.ts';
import { CryptonightHasher } from './cryptonight/hasher.ts';
import { PowUnavailableError } from './errors.ts';
import { requireRandomxAddon } from './native/addon.ts';
import { NativeRandomxHasher } from './native/hasher.ts';
import { NativeNonceSearcher } from './native/searcher.ts';
import type { PowHasher } from './pow-hasher.ts';
import { createRandomxWasmHasher } from './randomx-wasm/hasher.ts';

/** The implementation of RandomX: librandomx through the native addon, or the package's own in WebAssembly. */
export type PowEngine = 'native' | 'wasm';

/** Options of {@link createPowHasher}. */
export interface PowHasherOptions {
  /** `auto` by default: native if available, otherwise WebAssembly. */
  readonly engine?: PowEngine | 'auto';
  /** Number of hashes computed at the same time; by default one per core. */
  readonly threads?: number;
  /** Called while the dataset for mining is being computed, with the fraction done (0 to 1). */
  readonly onDatasetProgress?: (fraction: number) => void;
}

/**
 * Returns the fastest proof-of-work hasher of this machine, or that of the chosen engine. Its name says which
 * engine it uses and, after a fallback to WebAssembly, why the native one is not available.
 *
 * Throws PowUnavailableError ('no-library', 'no-wasm', 'not-built') and, unless `threads` is a positive integer,
 * RangeError.
 */
export function createPowHasher(options: PowHasherOptions = {}): PowHasher {
  const { engine = 'auto' } = options;
  if (engine === 'wasm') return createWasm(options);
  try {
    return createNative(options);
  } catch (error) {
    if (engine === 'native' || !(error instanceof PowUnavailableError)) throw error;
    return createWasm(options, `; ${error.message}`);
  }
}

function createNative(options: PowHasherOptions): PowHasher {
  const { threads = availableParallelism(), onDatasetProgress } = options;
  const addon = requireRandomxAddon();
  const randomx = new NativeRandomxHasher(addon, threads);
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

function createWasm({ threads = availableParallelism() }: PowHasherOptions, why = ''): PowHasher {
  // One cache: a second one would cost 256 MiB and save one second at each epoch change.
  const randomx = createRandomxWasmHasher({ threads, caches: 1 });
  return new CompositePowHasher(`${randomx.name}${why}`, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
  });
}
