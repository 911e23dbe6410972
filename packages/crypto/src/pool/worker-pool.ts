import type { Worker } from 'node:worker_threads';
import type { CryptoCheck } from '../checks.ts';
import { VerificationPoolError } from './errors.ts';
import { packCheck, type WorkerRequest, type WorkerResponse } from './messages.ts';
import { splitCheck } from './split.ts';
import type { VerificationPool } from './types.ts';

/** A part of a check on its way through one worker. */
interface Job {
  readonly check: CryptoCheck;
  readonly resolve: (answers: boolean[]) => void;
  readonly reject: (reason: unknown) => void;
  crashes: number;
}

/** A place for one worker; the worker is started when there is a job for it and replaced after a crash. */
interface Slot {
  worker?: Worker | undefined;
  job?: Job | undefined;
}

/** A job is given up after this many crashed workers. */
const MAX_CRASHES = 2;

/**
 * Verification on worker threads: one FIFO queue, one job at a time for each worker. Only busy workers
 * keep the process alive.
 */
export class WorkerPool implements VerificationPool {
  readonly backendName: string;
  readonly #startWorker: () => Worker;
  readonly #slots: Slot[];
  readonly #queue: Job[] = [];
  #closing: Promise<void> | undefined;

  /** `startWorker` makes a worker that speaks the protocol of messages.ts. */
  constructor(
    options: { threads: number; backendName: string },
    dependencies: { startWorker: () => Worker },
  ) {
    if (!Number.isInteger(options.threads) || options.threads < 1) {
      throw new RangeError('a verification pool needs at least one thread');
    }
    this.backendName = options.backendName;
    this.#startWorker = dependencies.startWorker;
    this.#slots = Array.from({ length: options.threads }, () => ({}));
  }

  get threads(): number {
    return this.#slots.length;
  }

  async check(check: CryptoCheck, signal?: AbortSignal): Promise<boolean[]> {
    if (this.#closing) throw new VerificationPoolError('closed', 'the verification pool is closed');
    signal?.throwIfAborted();
    const { parts, join } = splitCheck(check, this.threads);
    const jobs: Job[] = [];
    const answers = Promise.all(
      parts.map(
        (part) =>
          new Promise<boolean[]>((resolve, reject) => {
            jobs.push({ check: part, resolve, reject, crashes: 0 });
          }),
      ),
    );
    this.#queue.push(...jobs);
    this.#dispatch();

    const onAbort = () => this.#abandon(jobs, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return join(await answers);
    } catch (error) {
      this.#abandon(jobs, error); // one part failed for good: the others are not wanted any more
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const error = new VerificationPoolError('closed', 'the verification pool was closed');
    const workers: Worker[] = [];
    for (const job of this.#queue.splice(0)) job.reject(error);
    for (const slot of this.#slots) {
      slot.job?.reject(error);
      if (slot.worker) workers.push(slot.worker);
      slot.job = undefined;
      slot.worker = undefined;
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  /** Takes jobs out of the queue and rejects them; one that a worker is busy with is finished and forgotten. */
  #abandon(jobs: readonly Job[], reason: unknown): void {
    const unwanted = new Set(jobs);
    const kept = this.#queue.filter((job) => !unwanted.has(job));
    this.#queue.splice(0, this.#queue.length, ...kept);
    for (const job of jobs) {
      job.crashes = MAX_CRASHES; // never retried
      job.reject(reason);
    }
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      while (!slot.job && this.#queue.length > 0) this.#assign(slot, this.#queue.shift() as Job);
    }
  }

  #assign(slot: Slot, job: Job): void {
    try {
      slot.worker ??= this.#start(slot);
      const { check, buffer } = packCheck(job.check);
      const request: WorkerRequest = { check };
      slot.worker.ref();
      slot.worker.postMessage(request, [buffer]);
      slot.job = job;
    } catch (error) {
      job.reject(error);
    }
  }

  #start(slot: Slot): Worker {
    const worker = this.#startWorker();
    let failure: unknown;
    worker.on('message', (response: WorkerResponse) => {
      if (slot.worker !== worker) return;
      const { job } = slot;
      slot.job = undefined;
      worker.unref();
      job?.resolve(response.answers);
      this.#dispatch();
    });
    worker.on('error', (error: unknown) => {
      failure = error; // 'exit' follows
    });
    worker.on('exit', (exitCode) => {
      if (slot.worker !== worker) return;
      const { job } = slot;
      slot.worker = undefined;
      slot.job = undefined;
      if (job) this.#retry(job, failure ?? new Error(`exit code ${exitCode}`));
      this.#dispatch();
    });
    return worker;
  }

  #retry(job: Job, cause: unknown): void {
    job.crashes++;
    if (job.crashes < MAX_CRASHES) {
      this.#queue.unshift(job);
      return;
    }
    const message = 'a verification worker crashed twice on the same job';
    job.reject(new VerificationPoolError('worker-crashed', message, { cause }));
  }
}
