import { assertNative, createNativeEngine } from '#native';
import { availableParallelism } from '#platform';
import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { CompositePowHasher } from './composite-hasher.ts';
import { CryptonightHasher } from './cryptonight/hasher.ts';
import type { LibraryFacts, PowEngineOptions } from './engine-options.ts';
import { PowUnavailableError } from './errors.ts';
import { DATASET_USES, type DatasetEvent, type DatasetUse, type PowHasher } from './pow-hasher.ts';
import { createRandomxWasmHasher } from './randomx-wasm/hasher.ts';
import { ConfirmingHasher } from './second-opinion/confirming-hasher.ts';
import type { PowIncident } from './second-opinion/incident.ts';

const ENGINES = ['native', 'wasm'] as const;

/** The implementation of RandomX: librandomx through the native addon, or the package's own in WebAssembly. */
export type PowEngine = (typeof ENGINES)[number];

/** Options of {@link createPowHasher}. */
export interface PowHasherOptions {
  /** `auto` by default: native if available, otherwise WebAssembly. */
  readonly engine?: PowEngine | 'auto' | undefined;
  /** Number of hashes computed at the same time; by default one per core. */
  readonly threads?: number;
  /** Called when `auto` uses WebAssembly because native RandomX does not work here, with the reason. */
  readonly onFallback?: (reason: string) => void;
  /**
   * Called once, with the reason, when WebAssembly computes RandomX version 2 for the native engine because librandomx has
   * none. Nothing is asked before the first hash of that version.
   */
  readonly onV2Fallback?: (reason: string) => void;
  /** Called while the dataset for mining is being computed, with the fraction done (0 to 1). */
  readonly onDatasetProgress?: (fraction: number) => void;
  /**
   * Whether blocks of one seed are verified with a dataset of 2080 MiB while very many are expected (`PowHasher.expect`), or any;
   * `auto` by default. Only native RandomX has one.
   */
  readonly dataset?: DatasetUse | undefined;
  /** Called when the dataset that blocks are verified with comes or goes, or cannot be used. It must not throw. */
  readonly onDatasetEvent?: ((event: DatasetEvent) => void) | undefined;
  /** Called when an engine failed or computed a wrong hash, and another one made up for it. */
  readonly onIncident?: (incident: PowIncident) => void;
  /** For tests: changes the engine that computes all hashes. */
  readonly wrapEngine?: (engine: PowHasher) => PowHasher;
}

const OPTIONS: OptionTable<PowHasherOptions> = {
  engine: { optional: true, choices: ['auto', ...ENGINES] },
  threads: OPTIONAL,
  onFallback: OPTIONAL,
  onV2Fallback: OPTIONAL,
  onDatasetProgress: OPTIONAL,
  dataset: { optional: true, choices: DATASET_USES },
  onDatasetEvent: OPTIONAL,
  onIncident: OPTIONAL,
  wrapEngine: OPTIONAL,
};

/**
 * Returns the fastest proof-of-work hasher of this machine, or that of the chosen engine. Its name says which
 * engine it uses and, after a fallback to WebAssembly, why the native one is not available. Another engine confirms
 * the hashes that would count against a block.
 *
 * Throws PowUnavailableError ('no-library', 'no-wasm') and, unless `threads` is a positive integer,
 * RangeError; OptionError for an unknown option or engine.
 */
export function createPowHasher(options: PowHasherOptions = {}): PowHasher {
  checkOptions('createPowHasher', options, OPTIONS);
  const cores = availableParallelism();
  const { threads = cores, onDatasetProgress, onDatasetEvent, onIncident, onV2Fallback } = options;
  const { wrapEngine = (engine) => engine } = options;
  const { engine, why } = chooseEngine(options.engine);
  if (why !== undefined) options.onFallback?.(why);
  const make = { native: createNativeEngine, wasm: createWasmEngine };
  const other = engine === 'wasm' && hasNative() ? 'native' : 'wasm';
  const libraryFacts: LibraryFacts = { hasV2: undefined };
  const alone = { threads: 1, datasetThreads: cores, libraryFacts };
  const datasetUse = options.dataset ?? 'auto';
  const main = {
    threads,
    datasetThreads: cores,
    onDatasetProgress,
    datasetUse,
    onDatasetEvent,
    // A new engine takes the place of one that failed, and has WebAssembly for version 2 as that one had.
    onV2Fallback: onV2Fallback && onlyOnce(onV2Fallback),
    libraryFacts,
  };
  return new ConfirmingHasher(
    {
      main: () => wrapEngine(make[engine](main, why)),
      second: () => make[other](alone),
      third: () => make[engine]({ ...alone, isPlain: true }),
    },
    { threads, onIncident },
  );
}

function onlyOnce(report: (reason: string) => void): (reason: string) => void {
  let isReported = false;
  return (reason) => {
    if (isReported) return;
    isReported = true;
    report(reason);
  };
}

function chooseEngine(wanted: PowHasherOptions['engine']): { engine: PowEngine; why?: string } {
  if (wanted === 'wasm') return { engine: 'wasm' };
  try {
    assertNative();
    return { engine: 'native' };
  } catch (error) {
    if (wanted === 'native' || !(error instanceof PowUnavailableError)) throw error;
    return { engine: 'wasm', why: error.message };
  }
}

function hasNative(): boolean {
  try {
    assertNative();
    return true;
  } catch {
    return false;
  }
}

function createWasmEngine({ threads }: PowEngineOptions, why?: string): PowHasher {
  // One cache: a second one would cost 256 MiB and save one second at each epoch change.
  const randomx = createRandomxWasmHasher({ threads, caches: 1 });
  const name = why === undefined ? randomx.name : `${randomx.name}; ${why}`;
  return new CompositePowHasher(() => name, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
  });
}
