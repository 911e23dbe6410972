import { clientHost } from '@monero-node/p2p/hosts';
import type { FinishedCall } from './finished-call.ts';

/** Clients whose figures are kept at least, and at most twice as many: a flood of addresses makes the list no longer. */
const MOST_KEPT = 1000;

/** What a client has cost. */
export interface ClientUse {
  /** Its address, or its /64 of IPv6. */
  readonly host: string;
  readonly calls: number;
  /** Sent to it, with headers. */
  readonly bytes: number;
  /** Seconds until its answers were ready, waiting included. */
  readonly seconds: number;
}

/** What clients are ordered by, the most first. */
export const CLIENT_ORDERS = ['time', 'calls', 'bytes'] as const;
export type ClientOrder = (typeof CLIENT_ORDERS)[number];

/** A member of {@link ClientUse} for each order. */
const FIGURES = { time: 'seconds', calls: 'calls', bytes: 'bytes' } as const;

/** Counts what each client costs. Of those that cost least when there are many, only the sum is known. */
export class ClientUses {
  readonly #uses = new Map<string, { calls: number; bytes: number; seconds: number }>();
  #since: number | undefined;
  #dropped = { calls: 0, bytes: 0, seconds: 0 };
  readonly #now: () => number;

  /** @param now Unix seconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** When the first call was counted, Unix seconds; undefined before. */
  get since(): number | undefined {
    return this.#since;
  }

  /** What clients have cost that are no longer listed. */
  get others(): Omit<ClientUse, 'host'> {
    return this.#dropped;
  }

  /** Counts a call. Those without an address, as from the console, are left out. */
  add({
    address,
    bytes,
    secondsToAnswer,
  }: Pick<FinishedCall, 'address' | 'bytes' | 'secondsToAnswer'>): void {
    if (address === undefined) return;
    this.#since ??= this.#now();
    const host = shownHost(address);
    const use = this.#uses.get(host);
    if (use !== undefined) {
      use.calls += 1;
      use.bytes += bytes;
      use.seconds += secondsToAnswer;
      return;
    }
    this.#uses.set(host, { calls: 1, bytes, seconds: secondsToAnswer });
    if (this.#uses.size >= 2 * MOST_KEPT) this.#drop();
  }

  /** Returns the clients that have cost most, the most first. */
  top(count: number, order: ClientOrder = 'time'): ClientUse[] {
    const figure = FIGURES[order];
    return Array.from(this.#uses, ([host, { calls, bytes, seconds }]) => {
      return { host, calls, bytes, seconds };
    })
      .sort((a, b) => b[figure] - a[figure] || b.calls - a.calls || (a.host < b.host ? -1 : 1))
      .slice(0, count);
  }

  /** Begins anew. */
  clear(): void {
    this.#uses.clear();
    this.#since = undefined;
    this.#dropped = { calls: 0, bytes: 0, seconds: 0 };
  }

  #drop(): void {
    for (const { host, calls, bytes, seconds } of this.top(Infinity).slice(MOST_KEPT)) {
      this.#dropped.calls += calls;
      this.#dropped.bytes += bytes;
      this.#dropped.seconds += seconds;
      this.#uses.delete(host);
    }
  }
}

/** Returns an address, or the subnet of a whole IPv6 /64, whose addresses are one client. */
function shownHost(address: string): string {
  const host = clientHost(address);
  return host === address ? address : `${host}::/64`;
}
