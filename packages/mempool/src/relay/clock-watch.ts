import type { MillisecondClock, SecondClock } from '@monero-node/base';

/** Differences below this many seconds are rounding, or a clock that is corrected gently. */
const SMALLEST_JUMP = 2;

/**
 * Notices that the system's clock was set forward or back. A machine that was suspended looks like one whose clock was set
 * forward, because the clock that cannot be set stops meanwhile.
 */
export class ClockWatch {
  readonly #now: SecondClock;
  readonly #elapsed: MillisecondClock;
  #last: { readonly now: number; readonly elapsed: number };

  /** @param elapsed a clock that cannot be set */
  constructor(now: SecondClock, elapsed: MillisecondClock) {
    this.#now = now;
    this.#elapsed = elapsed;
    this.#last = { now: now(), elapsed: elapsed() };
  }

  /** Returns by how many seconds the clock was set forward (back when negative) since the last call. */
  jump(): number {
    const last = this.#last;
    this.#last = { now: this.#now(), elapsed: this.#elapsed() };
    const passed = Math.round((this.#last.elapsed - last.elapsed) / 1000);
    const jump = this.#last.now - last.now - passed;
    return Math.abs(jump) < SMALLEST_JUMP ? 0 : jump;
  }
}
