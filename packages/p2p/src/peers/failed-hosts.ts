import { BoundedMap } from '@monero-node/base';
import type { MillisecondClock } from '@monero-node/base';
import type { NetAddress } from '../net/address.ts';

/** Milliseconds until a host may be dialled again after a failure. */
const FORGET_MS = 3_600_000;
/** Hosts remembered; the oldest failures are forgotten first. */
const MAX_HOSTS = 10_000;

/** Hosts of one zone that could not be reached within the last hour. */
export class FailedHosts {
  readonly #now: MillisecondClock;
  /** Host to the time of its last failure, in milliseconds. */
  readonly #failures = new BoundedMap<string, number>(MAX_HOSTS);

  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  has({ host }: NetAddress): boolean {
    const at = this.#failures.get(host);
    if (at === undefined) return false;
    if (this.#now() - at <= FORGET_MS) return true;
    this.#failures.delete(host);
    return false;
  }

  add({ host }: NetAddress): void {
    this.#failures.set(host, this.#now());
  }

  /** Forgets all failures. */
  clear(): void {
    this.#failures.clear();
  }
}
