import type { Worker } from 'node:worker_threads';
import { PowUnavailableError } from './errors.ts';

/** A request on its way through one worker. */
interface Job<Request, Response> {
  readonly request: Request;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
  crashes: number;
}

/** A place for one worker; the worker is started when there is a job for it and replaced after a crash. */
interface Slot<Request, Response> {
  worker?: Worker | undefined;
  job?: Job<Request, Response> | undefined;
}

/** A job is given up after this many crashed workers. */
const MAX_CRASHES = 2;

/**
 * Worker threads behind one FIFO queue. A worker answers each message with one message and has one at a time. Only
 * busy workers keep the process alive.
 */
export class WorkerPool<Request, Response> {
  readonly #startWorker: () => Worker;
  readonly #slots: Slot<Request, Response>[];
  readonly #queue: Job<Request, Response>[] = [];
  #closing: Promise<void> | undefined;

  /**
   * @param threads workers at most; they start with the first work for them.
   * @throws RangeError for less than one thread.
   */
  constructor(threads: number, startWorker: () => Worker) {
    if (!Number.isInteger(threads) || threads < 1) {
      throw new RangeError('a worker pool needs at least one thread');
    }
    this.#startWorker = startWorker;
    this.#slots = Array.from({ length: threads }, () => ({}));
  }

  /** @throws PowUnavailableError 'closed', 'worker-crashed' */
  run(request: Request): Promise<Response> {
    if (this.#closing) return Promise.reject(closed());
    return new Promise<Response>((resolve, reject) => {
      this.#queue.push({ request, resolve, reject, crashes: 0 });
      this.#dispatch();
    });
  }

  /** Rejects what is not answered yet and ends the workers. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const workers: Worker[] = [];
    for (const job of this.#queue.splice(0)) job.reject(closed());
    for (const slot of this.#slots) {
      slot.job?.reject(closed());
      if (slot.worker) workers.push(slot.worker);
      slot.job = undefined;
      slot.worker = undefined;
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      while (!slot.job && this.#queue.length > 0) {
        this.#assign(slot, this.#queue.shift() as Job<Request, Response>);
      }
    }
  }

  #assign(slot: Slot<Request, Response>, job: Job<Request, Response>): void {
    try {
      slot.worker ??= this.#start(slot);
      slot.worker.ref();
      slot.worker.postMessage(job.request);
      slot.job = job;
    } catch (cause) {
      const message = 'a proof-of-work thread cannot be started';
      job.reject(new PowUnavailableError('worker-crashed', message, { cause }));
    }
  }

  #start(slot: Slot<Request, Response>): Worker {
    const worker = this.#startWorker();
    let failure: unknown;
    worker.on('message', (response: Response) => {
      if (slot.worker !== worker) return;
      const { job } = slot;
      slot.job = undefined;
      worker.unref();
      job?.resolve(response);
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

  #retry(job: Job<Request, Response>, cause: unknown): void {
    job.crashes++;
    if (job.crashes < MAX_CRASHES) {
      this.#queue.unshift(job);
      return;
    }
    const message = 'a proof-of-work thread crashed twice on the same hash';
    job.reject(new PowUnavailableError('worker-crashed', message, { cause }));
  }
}

function closed(): PowUnavailableError {
  return new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
}
