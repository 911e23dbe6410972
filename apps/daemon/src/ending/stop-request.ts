import { EXIT } from './exit-codes.ts';

/**
 * Milliseconds in which further signals count as the first one. Ctrl-C, npm and a service manager each may signal both npm and
 * this process, and npm passes its own signals on.
 */
const SAME_SIGNAL_MS = 1000;

/** Collects requests to stop the daemon. */
export class StopRequest {
  /** Resolves at the first request. */
  readonly requested: Promise<void>;
  #resolve: () => void = () => undefined;
  readonly #now: () => number;
  #firstSignal: number | undefined;
  #status: number = EXIT.ok;
  #endDelay: (() => void) | undefined;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.requested = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Exit status: of the first failure, or 0. */
  get status(): number {
    return this.#status;
  }

  readonly request = (): void => this.#resolve();

  /** Stops because of a failure. */
  readonly fail = (status: number): void => {
    if (this.#status === EXIT.ok) this.#status = status;
    this.#resolve();
    this.#endDelay?.();
  };

  /**
   * Handles a signal. A later one ends the process at once, or a delay of the stop if there is one: the user does not want to
   * wait.
   */
  readonly signal = (): void => {
    const now = this.#now();
    this.#firstSignal ??= now;
    if (now - this.#firstSignal > SAME_SIGNAL_MS) {
      if (this.#endDelay === undefined) process.exit(EXIT.failed);
      this.#firstSignal = now;
      this.#endDelay?.();
    }
    this.#resolve();
  };

  /** Waits before the stop; resolves early at a later signal and at a failure. Called once. */
  async delay(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#endDelay = resolve;
      timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
    this.#endDelay = undefined;
  }
}
