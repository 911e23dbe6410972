/** Answers over which the shortest time is taken. */
const READINGS = 8;

/**
 * The time that a peer takes to answer: the shortest of the last few answers, because the others waited behind something
 * else on the link or in the peer.
 */
export class RoundTrip {
  readonly #readings: number[] = [];

  /** Adds the time from a request to its whole answer, milliseconds. */
  add(milliseconds: number): void {
    this.#readings.push(Math.max(0, milliseconds));
    if (this.#readings.length > READINGS) this.#readings.shift();
  }

  /** Milliseconds; undefined before the first answer. */
  get current(): number | undefined {
    return this.#readings.length === 0 ? undefined : Math.min(...this.#readings);
  }
}
