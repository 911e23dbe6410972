import { Yielder } from '../scheduling/yielder.ts';
import type { PoolWorker } from './pool-worker.ts';

/**
 * Reasons for which a pool fails a job by itself: it was closed, two workers crashed on the job or did not answer in
 * time, or a worker could not be started or the request not be sent.
 */
export type WorkerPoolFailure = 'closed' | 'worker-crashed' | 'dispatch-failed';

/** A message for a worker, and the buffers in it that are handed over instead of copied. */
export interface WorkerMessage {
  readonly message: unknown;
  readonly transfer: readonly ArrayBuffer[];
}

export interface WorkerPoolOptions {
  /** Most workers; each is started with the first job for it. */
  readonly threads: number;
  /** Milliseconds after which a worker that has not answered is ended, as if it had crashed; 60,000 when absent. */
  readonly answerMilliseconds?: number;
  /** Ends the worker of a job that is aborted, where a job may take longer than the start of another worker; false when absent. */
  readonly endAborted?: boolean;
}

/** How a job is run. */
interface JobOptions {
  /** Rejects the job with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** It waits until no other job does. */
  readonly isPatient?: boolean;
}

export interface WorkerPoolDependencies<Request> {
  /** Starts a worker that answers each request with one message. */
  readonly startWorker: () => PoolWorker;
  /**
   * Makes the messages of a request, again for each attempt; by default the request is one message. Several
   * messages are made and posted in slices, so that a big request does not hold the event loop.
   */
  readonly pack?: (request: Request) => Iterable<WorkerMessage>;
  /** Makes the error that a job is rejected with. */
  readonly createError: (failure: WorkerPoolFailure, cause: unknown) => Error;
}

/** A place for one worker, which is started when there is a job for it and replaced after a crash. */
interface Slot<Request, Response> {
  worker?: PoolWorker | undefined;
  job?: Job<Request, Response> | undefined;
  /** Ends the worker if it does not answer. */
  deadline?: ReturnType<typeof setTimeout> | undefined;
}

/** A job fails after this many crashed workers. */
const MAX_CRASHES = 2;
/** Far longer than any job takes on a slow machine. */
const ANSWER_MILLISECONDS = 60_000;

/**
 * Worker threads behind one first-in-first-out queue, and another for jobs that all others overtake; each works on one job at a time. A job whose worker
 * crashed is tried once more. Only busy workers keep the process alive.
 */
export class WorkerPool<Request, Response> {
  readonly #dependencies: WorkerPoolDependencies<Request>;
  readonly #slots: Slot<Request, Response>[];
  readonly #queue: Job<Request, Response>[] = [];
  readonly #patient: Job<Request, Response>[] = [];
  readonly #answerMilliseconds: number;
  readonly #endAborted: boolean;
  #closing: Promise<void> | undefined;

  /** Throws RangeError unless `threads` is a positive integer. */
  constructor(
    { threads, answerMilliseconds = ANSWER_MILLISECONDS, endAborted = false }: WorkerPoolOptions,
    dependencies: WorkerPoolDependencies<Request>,
  ) {
    if (!Number.isInteger(threads) || threads < 1) {
      throw new RangeError('a worker pool needs at least one thread');
    }
    this.#dependencies = dependencies;
    this.#answerMilliseconds = answerMilliseconds;
    this.#endAborted = endAborted;
    this.#slots = Array.from({ length: threads }, () => ({}));
  }

  get threads(): number {
    return this.#slots.length;
  }

  /**
   * Resolves with the worker's answer. Rejects with the signal's reason once it is aborted (a worker already busy with the job is ended,
   * or its answer is dropped), and with an error of `createError` when the job fails.
   */
  run(request: Request, { signal, isPatient = false }: JobOptions = {}): Promise<Response> {
    if (this.#closing) return Promise.reject(this.#error('closed'));
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise<Response>((resolve, reject) => {
      const onAborted = (job: Job<Request, Response>): void => this.#aborted(job);
      const job = new Job(request, { resolve, reject, onAborted }, { signal, isPatient });
      this.#queueOf(job).push(job);
      this.#dispatch();
    });
  }

  /** Rejects the jobs that are not answered yet and ends the workers. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const workers: PoolWorker[] = [];
    for (const job of [...this.#queue.splice(0), ...this.#patient.splice(0)]) {
      job.reject(this.#error('closed'));
    }
    for (const slot of this.#slots) {
      clearTimeout(slot.deadline);
      slot.job?.reject(this.#error('closed'));
      if (slot.worker) workers.push(slot.worker);
      slot.job = undefined;
      slot.worker = undefined;
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      while (!slot.job) {
        const job = this.#queue.shift() ?? this.#patient.shift();
        if (job === undefined) return;
        if (!job.isSettled) this.#assign(slot, job);
      }
    }
  }

  #assign(slot: Slot<Request, Response>, job: Job<Request, Response>): void {
    slot.job = job;
    try {
      slot.worker ??= this.#start(slot);
      slot.worker.ref();
      const messages = this.#dependencies.pack?.(job.request) ?? [unpacked(job.request)];
      this.#expectAnswer(slot, slot.worker);
      void this.#post(slot, slot.worker, job, messages[Symbol.iterator]());
    } catch (cause) {
      this.#failToPost(slot, job, cause);
    }
  }

  /** Ends a worker that hangs: its thread would be lost for good, and the job would never settle. */
  #expectAnswer(slot: Slot<Request, Response>, worker: PoolWorker): void {
    const milliseconds = this.#answerMilliseconds;
    slot.deadline = setTimeout(() => {
      const cause = new Error(`no answer within ${milliseconds / 1000} s`);
      this.#lost(slot, worker, cause);
      void worker.terminate();
    }, milliseconds);
    // Browsers have numbers here.
    (slot.deadline as { unref?: () => void }).unref?.();
  }

  /** Posts the first message at once, and the others in slices until the worker is lost. */
  async #post(
    slot: Slot<Request, Response>,
    worker: PoolWorker,
    job: Job<Request, Response>,
    messages: Iterator<WorkerMessage>,
  ): Promise<void> {
    const yielder = new Yielder();
    let posted = 0;
    try {
      for (let next = messages.next(); next.done !== true; next = messages.next()) {
        worker.postMessage(next.value.message, next.value.transfer);
        posted++;
        await yielder.yieldIfDue();
        if (slot.worker !== worker || slot.job !== job) return;
      }
    } catch (cause) {
      // A worker with a part of a request would take the next one for the rest of it.
      if (posted > 0) {
        slot.worker = undefined;
        void worker.terminate();
      }
      this.#failToPost(slot, job, cause);
      if (posted > 0) this.#dispatch();
    }
  }

  #failToPost(slot: Slot<Request, Response>, job: Job<Request, Response>, cause: unknown): void {
    clearTimeout(slot.deadline);
    slot.worker?.unref();
    slot.job = undefined;
    job.reject(this.#error('dispatch-failed', cause));
  }

  #start(slot: Slot<Request, Response>): PoolWorker {
    const worker = this.#dependencies.startWorker();
    let failure: unknown;
    worker.on('message', (answer) => {
      if (slot.worker !== worker) return;
      const { job } = slot;
      slot.job = undefined;
      clearTimeout(slot.deadline);
      worker.unref();
      job?.resolve(answer as Response);
      this.#dispatch();
    });
    worker.on('error', (error: unknown) => {
      failure = error; // 'exit' follows
    });
    worker.on('exit', (exitCode) => {
      this.#lost(slot, worker, failure ?? new Error(`exit code ${exitCode}`));
    });
    return worker;
  }

  /** Ends the worker that is busy with an aborted job, if it is to be ended. */
  #aborted(job: Job<Request, Response>): void {
    const queue = this.#queueOf(job);
    const place = queue.indexOf(job);
    // Its bytes do not wait for a free worker.
    if (place >= 0) queue.splice(place, 1);
    const slot = this.#slots.find((each) => each.job === job);
    if (!this.#endAborted || slot?.worker === undefined) return;
    const { worker } = slot;
    this.#lost(slot, worker, undefined);
    void worker.terminate();
  }

  /** Frees the place of a worker that has ended, and tries its job again. */
  #lost(slot: Slot<Request, Response>, worker: PoolWorker, cause: unknown): void {
    if (slot.worker !== worker) return;
    const { job } = slot;
    slot.worker = undefined;
    slot.job = undefined;
    clearTimeout(slot.deadline);
    if (job) this.#retry(job, cause);
    this.#dispatch();
  }

  #retry(job: Job<Request, Response>, cause: unknown): void {
    if (job.isSettled) return;
    job.crashes++;
    if (job.crashes < MAX_CRASHES) this.#queueOf(job).unshift(job);
    else job.reject(this.#error('worker-crashed', cause));
  }

  #queueOf({ isPatient }: Job<Request, Response>): Job<Request, Response>[] {
    return isPatient ? this.#patient : this.#queue;
  }

  #error(failure: WorkerPoolFailure, cause?: unknown): Error {
    return this.#dependencies.createError(failure, cause);
  }
}

function unpacked(request: unknown): WorkerMessage {
  return { message: request, transfer: [] };
}

interface Outcome<Request, Response> {
  readonly onAborted: (job: Job<Request, Response>) => void;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** A request on its way through a worker pool. It settles once; whatever comes later is dropped. */
class Job<Request, Response> {
  readonly request: Request;
  /** Whether all others overtake it. */
  readonly isPatient: boolean;
  /** The number of workers that crashed on it. */
  crashes = 0;
  readonly #outcome: Outcome<Request, Response>;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => {
    this.reject(this.#signal?.reason);
    this.#outcome.onAborted(this);
  };
  #isSettled = false;

  /** @param options of which the signal rejects the job with its reason when aborted */
  constructor(
    request: Request,
    outcome: Outcome<Request, Response>,
    { signal, isPatient = false }: JobOptions,
  ) {
    this.request = request;
    this.isPatient = isPatient;
    this.#outcome = outcome;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Whether it is answered, failed or aborted. */
  get isSettled(): boolean {
    return this.#isSettled || this.#signal?.aborted === true;
  }

  resolve(response: Response): void {
    this.#settle();
    this.#outcome.resolve(response);
  }

  reject(reason: unknown): void {
    this.#settle();
    this.#outcome.reject(reason);
  }

  #settle(): void {
    this.#isSettled = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
