import { BoundedMap, TokenBucket, type MillisecondClock } from '@monero-node/base';
import type { StratumLimits } from '../options.ts';

/** Hosts that are remembered. */
const MOST_HOSTS = 4096;
/** A right hash makes up for this part of a fault. */
const MERIT = 0.1;
/** Seconds of new connections and of requests that are saved up. */
const SAVED_SECONDS = 30;

interface HostRecord {
  readonly arrivals: TokenBucket;
  readonly requests: TokenBucket;
  /** Blocks that are being checked and added. */
  claims: number;
  faults: number;
  /** Milliseconds. */
  bannedUntil: number;
}

type HostLimits = Pick<
  StratumLimits,
  'faults' | 'banMs' | 'newPerSecond' | 'hostRequestsPerSecond' | 'claimsPerHost'
>;

/** What hosts have done wrong, also over connections that have ended, and which of them are banned. */
export class HostBook {
  readonly #limits: HostLimits;
  readonly #now: MillisecondClock;
  readonly #hosts = new BoundedMap<string, HostRecord>(MOST_HOSTS);

  /** @param now milliseconds */
  constructor(limits: HostLimits, now: MillisecondClock) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Returns whether a new connection of a host may come in. */
  admits(host: string): boolean {
    const { arrivals, bannedUntil } = this.#of(host);
    return bannedUntil <= this.#now() && takes(arrivals);
  }

  /** Returns whether a share or a request for a job of a host is taken. */
  takesRequest(host: string): boolean {
    return takes(this.#of(host).requests);
  }

  /** Returns whether a block of a host is checked and added, after which `endClaim` has to be called. */
  beginClaim(host: string): boolean {
    const record = this.#of(host);
    if (record.claims >= this.#limits.claimsPerHost) return false;
    record.claims++;
    return true;
  }

  /** Notes that a block of a host was checked and added. */
  endClaim(host: string): void {
    const record = this.#hosts.get(host);
    if (record !== undefined && record.claims > 0) record.claims--;
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
      requests: new TokenBucket(this.#limits.hostRequestsPerSecond, this.#now, SAVED_SECONDS),
      claims: 0,
      faults: 0,
      bannedUntil: 0,
    };
    this.#hosts.set(host, record);
    return record;
  }
}

/** Takes one unit if there is one: those who are refused get into no debt. */
function takes(bucket: TokenBucket): boolean {
  if (bucket.available < 1) return false;
  bucket.take(1);
  return true;
}
