import type { MillisecondClock } from '@monero-node/base';

/** Milliseconds that are added up in one place. */
const PLACE_MS = 10_000;
/** Places of the window: ten minutes. */
const PLACES = 60;

/** Estimates the hash rate of a rig from the difficulties of its shares of the last ten minutes. */
export class HashRate {
  readonly #now: MillisecondClock;
  readonly #places = new Float64Array(PLACES);
  readonly #began: number;
  #last: number;

  /** @param now milliseconds */
  constructor(now: MillisecondClock) {
    this.#now = now;
    this.#began = now();
    this.#last = this.#place();
  }

  /** Counts a share of a difficulty. */
  add(difficulty: number): void {
    this.#advance();
    const at = this.#last % PLACES;
    this.#places[at] = (this.#places[at] ?? 0) + difficulty;
  }

  /** Hashes per second. */
  get current(): number {
    this.#advance();
    const window = Math.min(this.#now() - this.#began, PLACES * PLACE_MS);
    const hashes = this.#places.reduce((sum, each) => sum + each, 0);
    return hashes / (Math.max(window, PLACE_MS) / 1000);
  }

  #place(): number {
    return Math.floor(this.#now() / PLACE_MS);
  }

  /** Empties the places that time has passed. */
  #advance(): void {
    const place = this.#place();
    for (let at = Math.max(this.#last + 1, place - PLACES + 1); at <= place; at++) {
      this.#places[at % PLACES] = 0;
    }
    this.#last = Math.max(this.#last, place);
  }
}
