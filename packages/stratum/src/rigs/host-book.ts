import { BoundedMap, TokenBucket, type MillisecondClock } from '@monero-node/base';
import type { StratumLimits } from '../options.ts';

/** Hosts that are remembered. */
const MOST_HOSTS = 4096;
/** A right hash makes up for this part of a fault. */
const MERIT = 0.1;
/** Seconds of new connections that are saved up. */
const SAVED_SECONDS = 30;

interface HostRecord {
  readonly arrivals: TokenBucket;
  faults: number;
  /** Milliseconds. */
  bannedUntil: number;
}

/** What hosts have done wrong, also over connections that have ended, and which of them are banned. */
export class HostBook {
  readonly #limits: Pick<StratumLimits, 'faults' | 'banMs' | 'newPerSecond'>;
  readonly #now: MillisecondClock;
  readonly #hosts = new BoundedMap<string, HostRecord>(MOST_HOSTS);

  /** @param now milliseconds */
  constructor(
    limits: Pick<StratumLimits, 'faults' | 'banMs' | 'newPerSecond'>,
    now: MillisecondClock,
  ) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Returns whether a new connection of a host may come in. */
  admits(host: string): boolean {
    const { arrivals, bannedUntil } = this.#of(host);
    if (bannedUntil > this.#now() || arrivals.available < 1) return false;
    arrivals.take(1);
    return true;
  }

  /** Returns whether a host has done something wrong lately. */
  isDubious(host: string): boolean {
    return (this.#hosts.get(host)?.faults ?? 0) > 0;
  }

  /** Notes a right hash. */
  right(host: string): void {
    const record = this.#hosts.get(host);
    if (record !== undefined) record.faults = Math.max(0, record.faults - MERIT);
  }

  /** Notes a fault. Returns whether the host is banned now. */
  fault(host: string): boolean {
    const record = this.#of(host);
    record.faults++;
    if (record.faults < this.#limits.faults) return false;
    record.faults = 0;
    record.bannedUntil = this.#now() + this.#limits.banMs;
    return true;
  }

  #of(host: string): HostRecord {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const record = {
      arrivals: new TokenBucket(this.#limits.newPerSecond, this.#now, SAVED_SECONDS),
      faults: 0,
      bannedUntil: 0,
    };
    this.#hosts.set(host, record);
    return record;
  }
}
