/** Milliseconds until the first answer, and of silence later on, for remote and for local peers. */
const NEW_CONNECTION = { remote: 10_000, local: 1_200_000 };
const SILENCE = { remote: 300_000, local: 1_800_000 };
/** Milliseconds that every received byte adds, up to the full time. */
const PER_BYTE = 0.2;
const MAX_HALVINGS = 8;

export interface IdleTimerOptions {
  local: boolean;
  halvings: () => number;
  onIdle: () => void;
}

/**
 * Closes connections nothing happens on (`contrib/epee/include/net/abstract_tcp_server2.inl`).
 * Sending restarts the full time. Received bytes only buy time according to their number, so a
 * new peer that merely trickles bytes and never gets an answer is soon gone.
 */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #timer: NodeJS.Timeout | undefined;
  #deadline = 0;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    const delay = NEW_CONNECTION[this.#kind];
    this.#deadline = performance.now() + delay;
    this.#schedule(delay);
  }

  received(bytes: number): void {
    this.#moveDeadline(this.#deadline + bytes * PER_BYTE);
  }

  sent(): void {
    this.#moveDeadline(Infinity);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get #kind(): 'local' | 'remote' {
    return this.#options.local ? 'local' : 'remote';
  }

  #moveDeadline(wanted: number): void {
    const silence = SILENCE[this.#kind] / 2 ** Math.min(MAX_HALVINGS, this.#options.halvings());
    const previous = this.#deadline;
    this.#deadline = Math.min(wanted, performance.now() + silence);
    // A later deadline is noticed when the timer fires; an earlier one needs a new timer.
    if (this.#timer !== undefined && this.#deadline < previous) {
      this.stop();
      this.#schedule(this.#deadline - performance.now());
    }
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(
      () => {
        const left = this.#deadline - performance.now();
        if (left > 0) this.#schedule(left);
        else this.#options.onIdle();
      },
      Math.max(0, delay),
    );
    this.#timer.unref();
  }
}
