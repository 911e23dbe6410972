import type { MillisecondClock } from '@monero-node/base';
const WINDOW_SECONDS = 10;

/** Measures bytes per second over the last ten seconds, in steps of a second, and the highest value so far. */
export class SpeedMeter {
  readonly #now: MillisecondClock;
  readonly #buckets = new Float64Array(WINDOW_SECONDS);
  readonly #started: number;
  #second: number;
  #max = 0;

  constructor(now: MillisecondClock) {
    this.#now = now;
    this.#started = now();
    this.#second = Math.floor(now() / 1000);
  }

  add(bytes: number): void {
    this.#advance();
    this.#buckets[this.#second % WINDOW_SECONDS]! += bytes;
    this.#max = Math.max(this.#max, this.current);
  }

  /** Bytes per second. */
  get current(): number {
    this.#advance();
    const age = (this.#now() - this.#started) / 1000;
    const window = Math.min(WINDOW_SECONDS, Math.max(1, age));
    return this.#buckets.reduce((sum, bytes) => sum + bytes, 0) / window;
  }

  get max(): number {
    return this.#max;
  }

  #advance(): void {
    const second = Math.floor(this.#now() / 1000);
    if (second - this.#second >= WINDOW_SECONDS) this.#buckets.fill(0);
    else for (let s = this.#second + 1; s <= second; s++) this.#buckets[s % WINDOW_SECONDS] = 0;
    if (second > this.#second) this.#second = second;
  }
}
