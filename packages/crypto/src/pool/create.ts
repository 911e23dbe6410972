import { Worker } from 'node:worker_threads';
import {
  type BackendChoice,
  type CpuChoice,
  cpuFromEnvironment,
  createBackend,
  describeBackend,
} from '../choose-backend.ts';
import { ConfirmingPool, type Disagreement } from './confirming.ts';
import type { WorkerOptions } from './messages.ts';
import type { VerificationPool } from './types.ts';
import { WorkerPool } from './worker-pool.ts';

export interface VerificationPoolOptions {
  readonly threads: number;
  /** `auto` by default: the fastest that works here. */
  readonly backend?: BackendChoice;
  /** What the native backend may use; what the environment says, unless given. */
  readonly cpu?: CpuChoice;
  /** A fast backend refused what the reference accepts. Nothing is refused then. */
  readonly onDisagreement?: (disagreement: Disagreement) => void;
}

function workers(options: WorkerOptions, backendName: string, threads: number): WorkerPool {
  const url = new URL(import.meta.resolve('@monero-node/crypto/worker'));
  return new WorkerPool(
    { threads, backendName },
    // The compiled worker needs none of the flags this process was started with.
    { startWorker: () => new Worker(url, { execArgv: [], workerData: options }) },
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
  const cpu = options.cpu ?? cpuFromEnvironment(process.env);
  const backend = createBackend(options.backend, cpu);
  const own = { backend: backend.name, cpu };
  const pool = workers(own, describeBackend(backend), options.threads);
  if (backend.name === 'reference') return pool;
  return new ConfirmingPool(pool, {
    createReferencePool: () => workers({ backend: 'reference', cpu }, 'reference', 1),
    onDisagreement: options.onDisagreement ?? (() => undefined),
  });
}
