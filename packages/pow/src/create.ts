import { availableParallelism } from 'node:os';
import { CompositePowHasher } from './composite-hasher.ts';
import { CryptonightHasher } from './cryptonight/hasher.ts';
import { PowUnavailableError } from './errors.ts';
import { requireRandomxAddon } from './native/addon.ts';
import { NativeRandomxHasher } from './native/hasher.ts';
import { NativeNonceSearcher } from './native/searcher.ts';
import type { PowHasher } from './pow-hasher.ts';
import { createRandomxWasmHasher } from './randomx-wasm/hasher.ts';

/** Who computes RandomX: librandomx, our WebAssembly, or the first of them that is there. */
export type PowEngine = 'native' | 'wasm';

/** Options of {@link createPowHasher}. */
export interface PowHasherOptions {
  /** `auto` by default. */
  readonly engine?: PowEngine | 'auto';
  /** Hashes computed at once; default: one per core. */
  readonly threads?: number;
  /** Told while the memory for mining is being prepared: 0 to 1. */
  readonly onDatasetProgress?: (fraction: number) => void;
}

/**
 * The best proof-of-work hasher of this machine, or that of the engine asked for. Its name tells which one it is, and why
 * it is not the native one.
 *
 * @throws PowUnavailableError 'no-library', 'no-wasm', 'not-built'
 * @throws RangeError for less than one thread.
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
  // One cache: a second one would take 256 MiB to save a second of work at an epoch change.
  const randomx = createRandomxWasmHasher({ threads, caches: 1 });
  return new CompositePowHasher(`${randomx.name}${why}`, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
  });
}
