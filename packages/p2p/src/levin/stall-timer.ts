/** Milliseconds without a byte taken after which a peer is dropped; less when it makes further requests. */
const STALL = 60_000;
const STALL_WITH_REQUESTS = 10_000;
const CHECK = 2_000;

export interface StallTimerOptions {
  /** Whether bytes wait for the peer to read. */
  readonly isWaiting: () => boolean;
  /** Whether the stream takes no more bytes: otherwise our own limits hold them back. */
  readonly isBlocked: () => boolean;
  /** Whether the peer has sent a request although it does not read the answers to others. */
  readonly hasRequest: () => boolean;
  readonly onStalled: () => void;
}

/** Notices a peer that reads nothing while bytes wait for it. */
export class StallTimer {
  readonly #options: StallTimerOptions;
  #lastProgress = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StallTimerOptions) {
    this.#options = options;
  }

  /** Bytes wait: starts the timer unless it runs. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#lastProgress = performance.now();
    this.#schedule();
  }

  /** The peer has read something. */
  progressed(): void {
    this.#lastProgress = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#check(), CHECK);
    this.#timer.unref();
  }

  #check(): void {
    this.#timer = undefined;
    const { hasRequest, isBlocked, isWaiting, onStalled } = this.#options;
    if (!isWaiting()) return;
    if (!isBlocked()) this.progressed();
    const limit = hasRequest() ? STALL_WITH_REQUESTS : STALL;
    if (performance.now() - this.#lastProgress >= limit) onStalled();
    else this.#schedule();
  }
}
