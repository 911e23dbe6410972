import { startWorker } from '#start-worker';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { BACKEND_CHOICES, CPU_CHOICES, type BackendChoice, type CpuChoice } from '../choices.ts';
import {
  type BackendFallback,
  createBackend,
  defaultCpu,
  describeBackend,
} from '../choose-backend.ts';
import { type BackendFailure, ConfirmingPool, type Disagreement } from './confirming.ts';
import type { WorkerOptions } from './messages.ts';
import type { DisposableVerificationPool, VerificationPool } from './types.ts';
import {
  WorkerVerificationPool,
  type WorkerVerificationPoolOptions,
} from './worker-verification-pool.ts';

export interface VerificationPoolOptions {
  readonly threads: number;
  /** `auto` by default: the fastest backend that works on this machine. */
  readonly backend?: BackendChoice | undefined;
  /** The processor features that the native backend may use; by default those the environment allows. */
  readonly cpu?: CpuChoice;
  /**
   * URL of a module that verifies FCMP++ proofs, as `import.meta.resolve('@monero-node/fcmp/verifier')` returns it; each thread loads it with the first
   * such proof. Without it checks of these proofs are rejected.
   */
  readonly fcmpModule?: string | undefined;
  /** Called when `auto` cannot use a faster backend than the one it takes. */
  readonly onFallback?: (fallback: BackendFallback) => void;
  /** Called when a fast backend rejects a check that the reference accepts; the check then counts as accepted. */
  readonly onDisagreement?: (disagreement: Disagreement) => void;
  /** Called when a fast backend does not answer; it is asked again in parts, and then the reference. */
  readonly onFailure?: (failure: BackendFailure) => void;
  /** For tests: changes the pool of the fast backend. */
  readonly wrapPool?: (pool: VerificationPool) => VerificationPool;
}

const OPTIONS: OptionTable<VerificationPoolOptions> = {
  threads: NEEDED,
  backend: { optional: true, choices: BACKEND_CHOICES },
  cpu: { optional: true, choices: CPU_CHOICES },
  fcmpModule: OPTIONAL,
  onFallback: OPTIONAL,
  onDisagreement: OPTIONAL,
  onFailure: OPTIONAL,
  wrapPool: OPTIONAL,
};

function createWorkerPool(
  options: WorkerOptions,
  own: WorkerVerificationPoolOptions,
): DisposableVerificationPool {
  return new WorkerVerificationPool(own, { startWorker: () => startWorker(options) });
}

/**
 * Returns a pool of worker threads (web workers in browsers), each of which starts with the first check for it. The reference
 * re-checks rejections by a faster backend before they count. Workers run the compiled form of the package.
 *
 * Throws RangeError unless `threads` is a positive integer, BackendUnavailableError when the chosen backend does not work on this
 * machine, and OptionError for a missing or an unknown option.
 */
export function createVerificationPool(
  options: VerificationPoolOptions,
): DisposableVerificationPool {
  checkOptions('createVerificationPool', options, OPTIONS);
  const cpu = options.cpu ?? defaultCpu();
  const backend = createBackend(options.backend, { cpu, onFallback: options.onFallback });
  const fcmpOf = (chosen: BackendChoice) =>
    options.fcmpModule === undefined ? undefined : { url: options.fcmpModule, backend: chosen };
  const own = { backend: backend.name, cpu, fcmp: fcmpOf(options.backend ?? 'auto') };
  const pool = createWorkerPool(own, {
    backendName: describeBackend(backend),
    threads: options.threads,
  });
  if (backend.name === 'reference') return pool;
  return new ConfirmingPool(options.wrapPool?.(pool) ?? pool, {
    createReferencePool: (asker) =>
      createWorkerPool(
        { backend: 'reference', cpu, fcmp: fcmpOf('reference') },
        { backendName: 'reference', threads: 1, endAborted: asker === 'strangers' },
      ),
    onDisagreement: options.onDisagreement ?? (() => undefined),
    onFailure: options.onFailure ?? (() => undefined),
  });
}
