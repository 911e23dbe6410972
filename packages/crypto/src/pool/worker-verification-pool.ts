import { type PoolWorker, WorkerPool, type WorkerPoolFailure } from '@monero-node/base';
import type { AnyCheck } from './any-check.ts';
import { CheckPacker } from './check-bytes.ts';
import { VerificationPoolError } from './errors.ts';
import { packCheck, type WorkerResponse } from './messages.ts';
import { splitCheck } from './split.ts';
import type { DisposableVerificationPool, VerificationPool } from './types.ts';

/** Far longer than the largest batch takes with the slowest backend. */
const ANSWER_MS = 600_000;

export interface WorkerVerificationPoolOptions {
  readonly threads: number;
  readonly backendName: string;
  /** Ends the worker of a check that is aborted; false when absent. For a backend that may take a minute for it. */
  readonly endAborted?: boolean;
}

export interface WorkerVerificationPoolDependencies {
  /** Starts a worker that speaks the protocol of messages.ts. */
  readonly startWorker: () => PoolWorker;
}

/** Verifies on worker threads. A big check is cut into parts for several workers. The parts of strangers' checks wait for all others. */
export class WorkerVerificationPool implements DisposableVerificationPool {
  readonly backendName: string;
  readonly forStrangers: VerificationPool;
  readonly #workers: WorkerPool<AnyCheck, WorkerResponse>;
  #isClosed = false;

  /** Throws RangeError unless `threads` is a positive integer. */
  constructor(
    { threads, backendName, endAborted = false }: WorkerVerificationPoolOptions,
    { startWorker }: WorkerVerificationPoolDependencies,
  ) {
    const packer = new CheckPacker();
    this.backendName = backendName;
    this.#workers = new WorkerPool(
      { threads, answerMilliseconds: ANSWER_MS, endAborted },
      { startWorker, pack: (check) => packCheck(check, packer), createError },
    );
    this.forStrangers = {
      threads,
      backendName,
      check: (check) => this.#check(check, undefined, true),
      close: () => this.close(),
    };
  }

  get threads(): number {
    return this.#workers.threads;
  }

  check(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]> {
    return this.#check(check, signal, false);
  }

  async #check(
    check: AnyCheck,
    signal: AbortSignal | undefined,
    isPatient: boolean,
  ): Promise<boolean[]> {
    if (this.#isClosed) throw createError('closed');
    signal?.throwIfAborted();
    const { parts, join } = splitCheck(check, this.threads);
    const responses = await this.#runAll(parts, signal, isPatient);
    return join(responses.map(({ answers }) => answers));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#workers.close();
  }

  /** The same as {@link WorkerVerificationPool.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #runAll(
    parts: readonly AnyCheck[],
    signal: AbortSignal | undefined,
    isPatient: boolean,
  ): Promise<WorkerResponse[]> {
    // Once a part has failed for good or the caller has aborted, no worker should start on the others. Each part has a signal of its
    // own, as Node warns of more than ten listeners of one.
    const jobs = parts.map((part) => ({ part, controller: new AbortController() }));
    const abortAll = (reason: unknown): void => {
      for (const { controller } of jobs) controller.abort(reason);
    };
    const onAbort = (): void => abortAll(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.all(
        jobs.map(({ part, controller: { signal } }) =>
          this.#workers.run(part, { signal, isPatient }),
        ),
      );
    } catch (error) {
      abortAll(error);
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

function createError(failure: WorkerPoolFailure, cause?: unknown): Error {
  if (failure === 'closed') {
    return new VerificationPoolError('closed', 'the verification pool is closed');
  }
  if (failure === 'dispatch-failed') return cause as Error;
  const message = 'a verification worker crashed twice on the same job';
  return new VerificationPoolError('worker-crashed', message, { cause });
}
