import { type PoolWorker, WorkerPool, type WorkerPoolFailure } from '@monero-node/base';
import { PowUnavailableError } from './errors.ts';

/**
 * Returns a pool of hashing threads whose jobs fail with PowUnavailableError ('closed', 'worker-crashed').
 * Throws RangeError unless `threads` is a positive integer.
 */
export function createPowWorkerPool<Request, Response>(
  threads: number,
  startWorker: () => PoolWorker,
): WorkerPool<Request, Response> {
  return new WorkerPool({ threads }, { startWorker, createError });
}

function createError(failure: WorkerPoolFailure, cause: unknown): PowUnavailableError {
  switch (failure) {
    case 'closed':
      return new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
    case 'dispatch-failed': {
      const message = 'a proof-of-work thread cannot be started';
      return new PowUnavailableError('worker-crashed', message, { cause });
    }
    case 'worker-crashed': {
      const message = 'a proof-of-work thread crashed twice on the same hash';
      return new PowUnavailableError('worker-crashed', message, { cause });
    }
  }
}
