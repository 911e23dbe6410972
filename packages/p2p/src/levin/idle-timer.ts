/** Milliseconds until our first answer, and of silence later, for remote and for local peers. */
const NEW_CONNECTION = { remote: 10_000, local: 1_200_000 };
const SILENCE = { remote: 300_000, local: 1_800_000 };
/** Milliseconds that every received byte adds, up to the full time. */
const PER_BYTE = 0.2;
const MAX_HALVINGS = 8;

export interface IdleTimerOptions {
  /** Whether the peer is on this machine or in a private network. */
  local: boolean;
  /** How many times to halve the time allowed for silence. */
  halvings: () => number;
  onIdle: () => void;
}

/**
 * Closes idle connections. Sending restarts the full time. Received bytes extend the time by a fixed amount each, so a
 * new peer that only trickles bytes and never gets an answer is closed soon.
 * Source: get_timeout_from_bytes_read in contrib/epee/include/net/abstract_tcp_server2.inl
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
    // When the timer fires it takes later deadlines into account; an earlier one needs a new timer.
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
