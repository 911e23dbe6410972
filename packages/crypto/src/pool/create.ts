import { Worker } from 'node:worker_threads';
import { createDefaultBackend } from '../default-backend.ts';
import type { VerificationPool } from './types.ts';
import { WorkerPool } from './worker-pool.ts';

/**
 * A pool of `threads` worker threads with the default backend; workers start with the first work for them.
 * Throws RangeError for less than one thread. The package must have been built: workers run its compiled form.
 */
export function createVerificationPool(options: { threads: number }): VerificationPool {
  const url = new URL(import.meta.resolve('@monero-node/crypto/worker'));
  const backendName = createDefaultBackend().name;
  return new WorkerPool(
    { threads: options.threads, backendName },
    // The compiled worker needs none of the flags this process was started with.
    { startWorker: () => new Worker(url, { execArgv: [] }) },
  );
}
