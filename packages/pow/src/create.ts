import { availableParallelism } from 'node:os';
import { CompositePowHasher } from './composite-hasher.ts';
import { CryptonightHasher } from './cryptonight/hasher.ts';
import { PowUnavailableError } from './errors.ts';
import { loadRandomxAddon, RANDOMX_FLAGS, requireRandomxAddon } from './native/addon.ts';
import { NativeRandomxHasher } from './native/hasher.ts';
import { NativeNonceSearcher } from './native/searcher.ts';
import type { PowHasher } from './pow-hasher.ts';
import { createRandomxWasmHasher } from './randomx-wasm/hasher.ts';
import { ConfirmingHasher } from './second-opinion/confirming-hasher.ts';
import type { PowIncident } from './second-opinion/incident.ts';

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
  /** Called when an engine failed or computed a wrong hash, and another one made up for it. */
  readonly onIncident?: (incident: PowIncident) => void;
  /** For tests: changes the engine that computes all hashes. */
  readonly wrapEngine?: (engine: PowHasher) => PowHasher;
}

/**
 * Returns the fastest proof-of-work hasher of this machine, or that of the chosen engine. Its name says which
 * engine it uses and, after a fallback to WebAssembly, why the native one is not available. Another engine confirms
 * the hashes that would count against a block.
 *
 * Throws PowUnavailableError ('no-library', 'no-wasm', 'not-built') and, unless `threads` is a positive integer,
 * RangeError.
 */
export function createPowHasher(options: PowHasherOptions = {}): PowHasher {
  const { threads = availableParallelism(), onIncident, wrapEngine = (engine) => engine } = options;
  const { engine, why } = chooseEngine(options.engine);
  const make = { native: createNative, wasm: createWasm };
  const other = engine === 'wasm' && loadRandomxAddon() ? 'native' : 'wasm';
  return new ConfirmingHasher(
    {
      main: () => wrapEngine(make[engine](options, why)),
      second: () => make[other]({ threads: 1 }),
      // Without its compiler, native RandomX takes another path through the same library.
      third: () => make[engine]({ threads: 1, disabledFlags: RANDOMX_FLAGS.jit }),
    },
    { threads, onIncident },
  );
}

function chooseEngine(wanted: PowEngine | 'auto' = 'auto'): { engine: PowEngine; why?: string } {
  if (wanted === 'wasm') return { engine: 'wasm' };
  try {
    requireRandomxAddon();
    return { engine: 'native' };
  } catch (error) {
    if (wanted === 'native' || !(error instanceof PowUnavailableError)) throw error;
    return { engine: 'wasm', why: error.message };
  }
}

/** Options of one engine. */
interface EngineOptions extends Pick<PowHasherOptions, 'threads' | 'onDatasetProgress'> {
  /** RANDOMX_FLAGS not to be used. */
  readonly disabledFlags?: number;
}

function createNative({
  threads = availableParallelism(),
  onDatasetProgress,
  disabledFlags = 0,
}: EngineOptions): PowHasher {
  const addon = requireRandomxAddon();
  const randomx = new NativeRandomxHasher(addon, threads, { disabledFlags });
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

function createWasm({ threads = availableParallelism() }: EngineOptions, why?: string): PowHasher {
  // One cache: a second one would cost 256 MiB and save one second at each epoch change.
  const randomx = createRandomxWasmHasher({ threads, caches: 1 });
  return new CompositePowHasher(why === undefined ? randomx.name : `${randomx.name}; ${why}`, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
  });
}
