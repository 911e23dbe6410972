import { Worker } from 'node:worker_threads';
import { type BackendChoice, createBackend, describeBackend } from '../choose-backend.ts';
import { ConfirmingPool, type Disagreement } from './confirming.ts';
import type { VerificationPool } from './types.ts';
import { WorkerPool } from './worker-pool.ts';

export interface VerificationPoolOptions {
  readonly threads: number;
  /** `auto` by default: the fastest that works here. */
  readonly backend?: BackendChoice;
  /** A fast backend refused what the reference accepts. Nothing is refused then. */
  readonly onDisagreement?: (disagreement: Disagreement) => void;
}

function workers(backend: BackendChoice, backendName: string, threads: number): WorkerPool {
  const url = new URL(import.meta.resolve('@monero-node/crypto/worker'));
  return new WorkerPool(
    { threads, backendName },
    // The compiled worker needs none of the flags this process was started with.
    { startWorker: () => new Worker(url, { execArgv: [], workerData: backend }) },
  );
}

/**
 * A pool of worker threads; they start with the first work for them. What a fast backend refuses is
 * judged again by the reference before it counts. The package must have been built: workers run its
 * compiled form.
 *
 * @throws RangeError for less than one thread.
 * @throws BackendUnavailableError when the backend asked for does not work here.
 */
export function createVerificationPool(options: VerificationPoolOptions): VerificationPool {
  const backend = createBackend(options.backend);
  const pool = workers(backend.name, describeBackend(backend), options.threads);
  if (backend.name === 'reference') return pool;
  return new ConfirmingPool(pool, {
    createReferencePool: () => workers('reference', 'reference', 1),
    onDisagreement: options.onDisagreement ?? (() => undefined),
  });
}
