import { Worker } from 'node:worker_threads';
import { guardEmitter } from '@monero-node/base';
import {
  type BackendChoice,
  type CpuChoice,
  cpuFromEnvironment,
  createBackend,
  describeBackend,
} from '../choose-backend.ts';
import { type BackendFailure, ConfirmingPool, type Disagreement } from './confirming.ts';
import type { WorkerOptions } from './messages.ts';
import type { VerificationPool } from './types.ts';
import { WorkerVerificationPool } from './worker-verification-pool.ts';

export interface VerificationPoolOptions {
  readonly threads: number;
  /** `auto` by default: the fastest backend that works on this machine. */
  readonly backend?: BackendChoice;
  /** The processor features that the native backend may use; by default those the environment allows. */
  readonly cpu?: CpuChoice;
  /** Called when a fast backend rejects a check that the reference accepts; the check then counts as accepted. */
  readonly onDisagreement?: (disagreement: Disagreement) => void;
  /** Called when a fast backend does not answer; it is asked again in parts, and then the reference. */
  readonly onFailure?: (failure: BackendFailure) => void;
  /** For tests: changes the pool of the fast backend. */
  readonly wrapPool?: (pool: VerificationPool) => VerificationPool;
}

function createWorkerPool(
  options: WorkerOptions,
  { backendName, threads }: { backendName: string; threads: number },
): VerificationPool {
  const url = new URL(import.meta.resolve('@monero-node/crypto/worker'));
  return new WorkerVerificationPool(
    { threads, backendName },
    // The compiled worker needs none of the flags this process was started with.
    { startWorker: () => guardEmitter(new Worker(url, { execArgv: [], workerData: options })) },
  );
}

/**
 * Returns a pool of worker threads, each of which starts with the first check for it. The reference
 * re-checks rejections by a faster backend before they count. The package must have been built: workers
 * run its compiled form.
 *
 * Throws RangeError unless `threads` is a positive integer, and BackendUnavailableError when the chosen
 * backend does not work on this machine.
 */
export function createVerificationPool(options: VerificationPoolOptions): VerificationPool {
  const cpu = options.cpu ?? cpuFromEnvironment(process.env);
  const backend = createBackend(options.backend, cpu);
  const own = { backend: backend.name, cpu };
  const pool = createWorkerPool(own, {
    backendName: describeBackend(backend),
    threads: options.threads,
  });
  if (backend.name === 'reference') return pool;
  return new ConfirmingPool(options.wrapPool?.(pool) ?? pool, {
    createReferencePool: () =>
      createWorkerPool({ backend: 'reference', cpu }, { backendName: 'reference', threads: 1 }),
    onDisagreement: options.onDisagreement ?? (() => undefined),
    onFailure: options.onFailure ?? (() => undefined),
  });
}
