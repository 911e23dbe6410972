interface Outcome<Response> {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** A request on its way through a worker pool. It settles once; whatever comes later is dropped. */
export class Job<Request, Response> {
  readonly request: Request;
  /** The number of workers that crashed on it. */
  crashes = 0;
  readonly #outcome: Outcome<Response>;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => this.reject(this.#signal?.reason);
  #isSettled = false;

  /** @param signal rejects the job with its reason when aborted */
  constructor(request: Request, outcome: Outcome<Response>, signal: AbortSignal | undefined) {
    this.request = request;
    this.#outcome = outcome;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Whether it is answered, failed or aborted. */
  get isSettled(): boolean {
    return this.#isSettled;
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
