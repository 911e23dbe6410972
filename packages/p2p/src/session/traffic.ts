import type { MillisecondClock } from '@monero-node/base';
/** Totals of all peer-to-peer traffic since the node started. */
export interface NetStats {
  /** Unix seconds. */
  startTime: number;
  bytesIn: number;
  bytesOut: number;
  packetsIn: number;
  packetsOut: number;
}

/** Counts the bytes and packets of all connections together. */
export class TrafficTotals {
  readonly #stats: NetStats;

  constructor(now: MillisecondClock) {
    const startTime = Math.floor(now() / 1000);
    this.#stats = { startTime, bytesIn: 0, bytesOut: 0, packetsIn: 0, packetsOut: 0 };
  }

  get stats(): NetStats {
    return { ...this.#stats };
  }

  /** Adds one transfer. */
  readonly add = (direction: 'in' | 'out', bytes: number): void => {
    if (direction === 'in') {
      this.#stats.bytesIn += bytes;
      this.#stats.packetsIn++;
    } else {
      this.#stats.bytesOut += bytes;
      this.#stats.packetsOut++;
    }
  };
}
