import { MachineError, type MillisecondClock } from '@monero-node/base';

/** Milliseconds until the next attempt, by the number of failed ones; the last counts for all later attempts. */
const WAITS_MS = [5_000, 10_000, 20_000, 40_000, 60_000] as const;

/** A failed attempt to add blocks that says nothing about the blocks: no peer is to blame. */
export interface AddingFailure {
  readonly error: unknown;
  /** Whether this machine failed, such as its disk or an engine; otherwise a defect of the program. */
  readonly byMachine: boolean;
  /** Failed attempts in a row, this one included. */
  readonly attempts: number;
  /** Milliseconds since the first of them. */
  readonly lasting: number;
  /** Milliseconds until the next attempt. */
  readonly retryIn: number;
}

/** Counts attempts that fail in a row, and decides when to try again. */
export class FailureSeries {
  readonly #now: MillisecondClock;
  #attempts = 0;
  #since = 0;

  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /** Whether the last attempt failed. */
  get failing(): boolean {
    return this.#attempts > 0;
  }

  failed(error: unknown): AddingFailure {
    if (this.#attempts === 0) this.#since = this.#now();
    const wait = WAITS_MS[Math.min(this.#attempts, WAITS_MS.length - 1)] as number;
    this.#attempts++;
    return {
      error,
      byMachine: error instanceof MachineError,
      attempts: this.#attempts,
      lasting: this.#now() - this.#since,
      retryIn: wait,
    };
  }

  /** Ends the series. Returns how many attempts had failed in a row. */
  succeeded(): number {
    const attempts = this.#attempts;
    this.#attempts = 0;
    return attempts;
  }
}
