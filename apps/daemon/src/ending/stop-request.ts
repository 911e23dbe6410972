import { EXIT } from './exit-codes.ts';

/** Collects requests to stop the daemon. */
export class StopRequest {
  /** Resolves at the first request. */
  readonly requested: Promise<void>;
  #resolve: () => void = () => undefined;
  #signals = 0;
  #status: number = EXIT.ok;

  constructor() {
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
  };

  /** Handles a signal. The second one ends the process at once: the user does not want to wait. */
  readonly signal = (): void => {
    this.#signals++;
    if (this.#signals > 1) process.exit(EXIT.failed);
    this.#resolve();
  };
}
