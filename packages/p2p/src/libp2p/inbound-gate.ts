import { setTimeout as sleep } from 'node:timers/promises';
import {
  BoundedMap,
  monotonicMilliseconds,
  Seats,
  TokenBucket,
  type MillisecondClock,
  type Seated,
} from '@monero-node/base';
import { connectionLimitHost } from '../net/ip-address.ts';
import type { NetAddress } from '../net/address.ts';

/** Estimated time of the event loop that a Noise handshake takes, milliseconds: four X25519 keys, two signatures. */
const HANDSHAKE_MS = 10;
/** Time that handshakes may take, of all hosts and of one, milliseconds per second. */
const ALL_MS_PER_SECOND = 300;
const HOST_MS_PER_SECOND = 50;
/** Longest time for which a handshake waits, milliseconds. */
const MAX_WAIT_MS = 1000;
/** Hosts whose use of time is remembered. */
const MAX_HOSTS = 4096;
/** Connections that have not shaken hands yet; a new one closes the oldest. */
const MAX_AWAITED = 64;

/** The parts of libp2p's MultiaddrConnection that matter here. Its type would have users without libp2p install it. */
interface Handshaking {
  abort(error: Error): void;
  addEventListener(type: 'close', listener: () => void, options: { readonly once: true }): void;
}

interface Waiting extends Seated {
  readonly connection: Handshaking;
}

export interface InboundGateOptions {
  /** Connections per IP address, or per IPv6 /64. Read for each connection, as it may change. */
  readonly maxPerHost: number;
  readonly isBanned: (host: string) => boolean;
  readonly now?: MillisecondClock;
}

/**
 * Admits or refuses incoming libp2p connections before their peer ids are known: by IP address, under the same bans
 * and the same limit of connections per host as over plain TCP.
 */
export class InboundGate {
  readonly #options: InboundGateOptions;
  readonly #inside = new Map<string, number>();
  readonly #now: MillisecondClock;
  readonly #handshakes: TokenBucket;
  readonly #handshakesOf = new BoundedMap<string, TokenBucket>(MAX_HOSTS);
  readonly #awaited = new Seats<Waiting>(
    { total: MAX_AWAITED, perHost: () => MAX_AWAITED, fullHost: 'refuses' },
    ({ connection }) => connection.abort(new Error('others want to shake hands')),
  );
  readonly #waiting = new WeakMap<Handshaking, Waiting>();

  constructor(options: InboundGateOptions) {
    this.#options = options;
    this.#now = options.now ?? monotonicMilliseconds;
    this.#handshakes = new TokenBucket(ALL_MS_PER_SECOND, this.#now);
  }

  /** Returns whether a peer id or an IP address is banned. */
  isBanned(host: string): boolean {
    return this.#options.isBanned(host);
  }

  /** Admits a connection. Returns a function to call when it is closed, or undefined if it is refused. */
  enter(address: NetAddress): (() => void) | undefined {
    const host = connectionLimitHost(address);
    const inside = this.#inside.get(host) ?? 0;
    if (inside >= this.#options.maxPerHost || this.isBanned(address.host)) return undefined;
    this.#inside.set(host, inside + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const others = (this.#inside.get(host) ?? 1) - 1;
      if (others > 0) this.#inside.set(host, others);
      else this.#inside.delete(host);
    };
  }

  /**
   * Spends the time of a handshake before it begins. Resolves with false, without spending any, when its host or all hosts
   * together are over their budgets, and otherwise with true when it may begin.
   */
  async handshake(address: NetAddress): Promise<boolean> {
    const host = connectionLimitHost(address);
    const own = this.#handshakesOf.get(host) ?? new TokenBucket(HOST_MS_PER_SECOND, this.#now);
    this.#handshakesOf.set(host, own);
    const mostDebt = (ALL_MS_PER_SECOND * MAX_WAIT_MS) / 1000;
    if (own.available < HANDSHAKE_MS || this.#handshakes.available < HANDSHAKE_MS - mostDebt)
      return false;
    own.take(HANDSHAKE_MS);
    const wait = this.#handshakes.take(HANDSHAKE_MS);
    if (wait > 0) await sleep(wait, undefined, { ref: false });
    return true;
  }

  /** A connection that was admitted has to shake hands. When too many have, the oldest is closed. */
  awaitHandshake(connection: Handshaking, address: NetAddress): void {
    const host = connectionLimitHost(address);
    const waiting: Waiting = { host, idleness: 1, since: monotonicMilliseconds(), connection };
    this.#waiting.set(connection, waiting);
    this.#awaited.enter(waiting);
    connection.addEventListener('close', () => this.handshakeDone(connection), { once: true });
  }

  /** The connection has shaken hands, or is closed. */
  handshakeDone(connection: Handshaking): void {
    const waiting = this.#waiting.get(connection);
    if (waiting !== undefined) this.#awaited.leave(waiting);
  }
}
