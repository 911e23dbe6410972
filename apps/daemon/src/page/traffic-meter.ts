import type { TrafficFacts } from '@monero-node/dashboard';

/** Milliseconds over which the rates are taken. */
const WINDOW = 5000;

interface Reading {
  readonly at: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Turns totals of bytes into rates. */
export class TrafficMeter {
  #readings: Reading[] = [];

  /** @param at milliseconds of a clock that does not jump */
  add(
    at: number,
    { bytesIn, bytesOut }: { readonly bytesIn: number; readonly bytesOut: number },
  ): void {
    this.#readings.push({ at, bytesIn, bytesOut });
    while ((this.#readings[1]?.at ?? at) <= at - WINDOW) this.#readings.shift();
  }

  /** The totals, and the bytes per second over the last few seconds. */
  get facts(): TrafficFacts {
    const first = this.#readings[0];
    const last = this.#readings.at(-1);
    if (first === undefined || last === undefined) {
      return { bytesIn: 0, bytesOut: 0, rateIn: 0, rateOut: 0 };
    }
    const seconds = Math.max(1, (last.at - first.at) / 1000);
    return {
      bytesIn: last.bytesIn,
      bytesOut: last.bytesOut,
      rateIn: Math.round((last.bytesIn - first.bytesIn) / seconds),
      rateOut: Math.round((last.bytesOut - first.bytesOut) / seconds),
    };
  }
}
