import { machineLimits } from '@monero-node/base/machine';
import type { Logger } from '@monero-node/base';
import { checkOptions, OPTIONAL, OptionError, type OptionTable } from '@monero-node/base/options';
import type { TransactionOutliner } from '@monero-node/codec';
import {
  createBackend,
  createVerificationPool,
  type BackendChoice,
  type CryptoBackend,
  type VerificationPool,
  type VerificationPoolOptions,
} from '@monero-node/crypto';
import {
  createPowHasher,
  type DatasetUse,
  type PowEngine,
  type PowHasher,
  type PowHasherOptions,
} from '@monero-node/pow';
import {
  cryptoDisagreementReporter,
  cryptoFailureReporter,
  cryptoFallbackReporter,
} from './crypto-disagreements.ts';
import { createOutlinePool } from '../outlines/outline-pool.ts';
import { datasetEventReporter, powIncidentReporter } from './pow-incidents.ts';

/** Threads that read ahead where there is another core for them. One reads more transactions than a chain takes meanwhile. */
const READ_AHEAD_THREADS = 1;

/** Options of the engines that verify blocks. */
export interface OpenEngineOptions {
  /** Folder of this network's files; everything is in memory when absent. */
  readonly dataDir?: string | undefined;
  /** Number of threads that verify signatures and proofs; one per core when absent or 0. */
  readonly verificationThreads?: number;
  /** `auto` when absent: the fastest that runs here. */
  readonly cryptoBackend?: BackendChoice;
  /** `auto` when absent: native if available. */
  readonly powEngine?: PowEngine | 'auto';
  /** Whether blocks are verified with a RandomX dataset of 2080 MiB while very many of one seed are expected, or always; `auto` when absent. */
  readonly powDataset?: DatasetUse;
  /** Number of threads that compute proof-of-work hashes, at most one per core; one per core when absent. */
  readonly powThreads?: number;
  /** Number of threads that read and hash blocks before it is their turn, 0 for none; when absent 1, and 0 with one core. */
  readonly readAheadThreads?: number | undefined;
}

/** The options of `openEngines`. The values that are choices are checked where they are used. */
export const ENGINE_OPTIONS: OptionTable<OpenEngineOptions> = {
  dataDir: OPTIONAL,
  verificationThreads: OPTIONAL,
  cryptoBackend: OPTIONAL,
  powEngine: OPTIONAL,
  powDataset: OPTIONAL,
  powThreads: OPTIONAL,
  readAheadThreads: OPTIONAL,
};

/** Changes the engines that verify blocks; for tests with engines that fail. */
export type EngineChanges = Pick<PowHasherOptions, 'wrapEngine'> &
  Pick<VerificationPoolOptions, 'wrapPool'>;

/** Engines that nodes of one process may share: each has the threads and the RandomX cache (256 MiB) of one node. */
export interface SharedEngines {
  readonly pow: PowHasher;
  readonly verifier: VerificationPool;
  /** For what takes no time worth a thread. */
  readonly backend: Pick<CryptoBackend, 'commitToAmount' | 'addMultiples'>;
  /** Reads transactions ahead; without it they are read when it is their turn. */
  readonly outliner?: TransactionOutliner | undefined;
}

/** Engines, and how they are closed. */
export interface Engines extends SharedEngines {
  /** Frees threads and caches. Call it when no node uses them. */
  close(): Promise<void>;
}

/**
 * Returns the URL of the verifier of FCMP++ proofs for a verification pool, whose threads load it with the first such proof: only a chain with
 * version 17 has any.
 */
export const fcmpModule = (): string => import.meta.resolve('@monero-node/fcmp/verifier');

/** Returns a function that logs each tenth of the mining dataset that has been computed. */
function datasetReporter(logger: Logger): (fraction: number) => void {
  let logged = 0;
  return (fraction) => {
    const tenths = Math.floor(10 * fraction);
    if (tenths > logged) logger.info(`RandomX dataset for mining: ${10 * tenths}%`);
    logged = tenths;
  };
}

export interface OpenEnginesDependencies {
  readonly logger: Logger;
  /** Called with the line of the log when an engine has erred or computed nothing. It must not throw. */
  readonly onEngineTrouble?: ((line: string) => void) | undefined;
  readonly engineChanges?: EngineChanges | undefined;
}

/**
 * Makes the engines that verify blocks. They take no thread and no cache before they are first used.
 *
 * Throws PowUnavailableError and BackendUnavailableError when a chosen engine does not run here, and OptionError for an unknown
 * option or a wrong number of threads that read ahead.
 */
export function openEngines(
  options: OpenEngineOptions,
  dependencies: OpenEnginesDependencies,
): Engines {
  checkOptions('openEngines', options, ENGINE_OPTIONS);
  return createEngines(options, dependencies);
}

/** The same with options that were checked, as some of those of a node. Throws OptionError for a wrong number of threads that read ahead. */
export function createEngines(
  options: OpenEngineOptions,
  { logger, onEngineTrouble, engineChanges = {} }: OpenEnginesDependencies,
): Engines {
  const trouble = {
    error: (line: string): void => {
      logger.error(line);
      onEngineTrouble?.(line);
    },
  };
  const { processors: cores } = machineLimits();
  const { readAheadThreads = cores > 1 ? READ_AHEAD_THREADS : 0 } = options;
  if (!Number.isSafeInteger(readAheadThreads) || readAheadThreads < 0) {
    const message = 'openEngines: readAheadThreads is a whole number, 0 or more';
    throw new OptionError('bad-option', message, { option: 'readAheadThreads' });
  }
  const { wrapEngine, wrapPool } = engineChanges;
  const pow = createPowHasher({
    engine: options.powEngine,
    threads: Math.max(1, Math.min(cores, options.powThreads ?? cores)),
    // In the global category, so that users who start mining see it at every log level.
    onDatasetProgress: datasetReporter(logger),
    dataset: options.powDataset,
    onDatasetEvent: datasetEventReporter(logger),
    onIncident: powIncidentReporter(trouble),
    onV2Fallback: (reason) => logger.warn(`proof of work: ${reason}`),
    ...(wrapEngine && { wrapEngine }),
  });
  const verifier = createVerificationPool({
    threads: options.verificationThreads || cores,
    backend: options.cryptoBackend,
    fcmpModule: fcmpModule(),
    onDisagreement: cryptoDisagreementReporter(options.dataDir, trouble),
    onFailure: cryptoFailureReporter(trouble),
    ...(wrapPool && { wrapPool }),
  });
  const backend = createBackend(options.cryptoBackend, {
    onFallback: cryptoFallbackReporter(logger),
  });
  logger.info(`crypto: ${verifier.backendName} on ${verifier.threads} threads; ${pow.name}`);
  const outliner =
    readAheadThreads > 0 ? createOutlinePool({ threads: readAheadThreads }) : undefined;
  const close = async (): Promise<void> => {
    await Promise.all([verifier.close(), pow.close(), outliner?.close()]);
  };
  return { pow, verifier, backend, outliner, close };
}
