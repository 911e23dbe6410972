import { systemMilliseconds, type MillisecondClock } from '@monero-node/base';

/** A clock for a chain of tests, in Unix seconds. It runs with the system's clock, and can be set. */
export class DevClock {
  readonly #system: MillisecondClock;
  /** Milliseconds that this clock is ahead of the system's. */
  #ahead = 0;

  /** @param system milliseconds since 1970 */
  constructor(system: MillisecondClock = systemMilliseconds) {
    this.#system = system;
  }

  /** Returns the time, Unix seconds, rounded down. */
  now(): number {
    return Math.floor((this.#system() + this.#ahead) / 1000);
  }

  /** Sets the time, Unix seconds. The clock runs on from there. Throws RangeError unless it is a whole number, 0 or more. */
  set(time: number): void {
    if (!Number.isSafeInteger(time) || time < 0)
      throw new RangeError('a time is whole Unix seconds');
    this.#ahead = time * 1000 - this.#system();
  }

  /** Moves the clock forward by this many seconds, or back if negative. Throws RangeError for a time before 1970. */
  advance(seconds: number): void {
    this.set(this.now() + seconds);
  }
}
