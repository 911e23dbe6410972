import { monotonicMilliseconds, TokenBucket } from '@monero-node/base';
import type { MillisecondClock } from '@monero-node/base';
import type { Caller } from '../scheduling/time-shares.ts';

/** Time of the event loop that handshakes may take, of a port and of one host, milliseconds per second. */
const PORT_MS_PER_SECOND = 400;
const HOST_MS_PER_SECOND = 200;
/** Connections that may wait for their handshakes, of a port and of one host. */
const MAX_WAITING = 128;
const MAX_WAITING_PER_HOST = 32;
/** A handshake of each waiting host takes no longer than this, unless the hosts are few; milliseconds. */
const MAX_ROUND_MS = 100;
const MIN_WAITING_HOSTS = 32;
/** The part that the newest handshake has in the mean cost. */
const NEWEST_PART = 0.1;

/** Knows to which host an address belongs. */
export interface HostsOfPort {
  of(address: string): Caller;
}

/** The parts of a socket that the queue uses. */
export interface WaitingSocket {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

interface Waiting {
  readonly socket: WaitingSocket;
  readonly run: (done: () => void) => void;
  readonly since: number;
  readonly left: () => void;
}

/** A host: what it may still use, and its connections that wait, the oldest first. */
class Host {
  readonly caller: Caller;
  readonly budget: TokenBucket;
  readonly waiting: Waiting[] = [];
  servedAt = -Infinity;

  constructor(caller: Caller, now: MillisecondClock) {
    this.caller = caller;
    this.budget = new TokenBucket(HOST_MS_PER_SECOND, now);
  }

  /** Since when it is its turn: the host that waits longest since its last handshake comes first. */
  get turn(): number {
    return Math.max(this.servedAt, this.waiting[0]?.since ?? Infinity);
  }
}

/**
 * Lets the TLS handshakes of a port begin one by one, as many as its budget of time allows: the work is done on the event loop,
 * before anything is known about the client. Hosts take turns, so that many connections of one host delay another host by
 * one handshake. The time is also charged to the callers, whose calls get the less of it.
 */
export class HandshakeQueue {
  readonly #callers: HostsOfPort;
  readonly #now: MillisecondClock;
  readonly #budget: TokenBucket;
  /** Remembered as long as the callers are. */
  readonly #known = new WeakMap<Caller, Host>();
  /** Hosts with connections that wait. */
  readonly #hosts = new Set<Host>();
  #waiting = 0;
  #meanMs = 1;
  #isRunning = false;
  #rest: NodeJS.Timeout | undefined;

  constructor(callers: HostsOfPort, now: MillisecondClock = monotonicMilliseconds) {
    this.#callers = callers;
    this.#now = now;
    this.#budget = new TokenBucket(PORT_MS_PER_SECOND, now);
  }

  /** Connections that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Calls `run` when the handshake of a connection may begin; that calls `done` when the answer to the ClientHello has been
   * made. When too many wait, a connection of the host with the most of them is closed, or those of the host that has used the
   * most time.
   */
  enter(address: string, socket: WaitingSocket, run: (done: () => void) => void): void {
    if (socket.destroyed) return;
    const host = this.#hostOf(address);
    this.#makeRoom(host);
    const left = (): void => this.#remove(host, one);
    const one: Waiting = { socket, run, since: this.#now(), left };
    socket.once('close', left);
    host.waiting.push(one);
    this.#hosts.add(host);
    this.#waiting++;
    if (!this.#isRunning) this.#goOn();
  }

  #hostOf(address: string): Host {
    const caller = this.#callers.of(address);
    const host = this.#known.get(caller) ?? new Host(caller, this.#now);
    this.#known.set(caller, host);
    return host;
  }

  #makeRoom(newcomer: Host): void {
    if (newcomer.waiting.length >= MAX_WAITING_PER_HOST) this.#closeOldest(newcomer);
    if (this.#waiting >= MAX_WAITING)
      this.#closeOldest(most(this.#hosts, ({ waiting }) => waiting.length));
    const maxHosts = Math.max(MIN_WAITING_HOSTS, Math.floor(MAX_ROUND_MS / this.#meanMs));
    if (newcomer.waiting.length > 0 || this.#hosts.size < maxHosts) return;
    const costliest = most(this.#hosts, ({ budget }) => -budget.available);
    while (costliest !== undefined && costliest.waiting.length > 0) this.#closeOldest(costliest);
  }

  #closeOldest(host: Host | undefined): void {
    const oldest = host?.waiting[0];
    if (host === undefined || oldest === undefined) return;
    this.#remove(host, oldest);
    oldest.socket.destroy();
  }

  #remove(host: Host, one: Waiting): void {
    const at = host.waiting.indexOf(one);
    if (at < 0) return;
    host.waiting.splice(at, 1);
    one.socket.off('close', one.left);
    this.#waiting--;
    if (host.waiting.length === 0) this.#hosts.delete(host);
  }

  /** Begins the next handshake, or sleeps until one may begin. */
  #goOn(): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
    this.#isRunning = false;
    if (this.#waiting === 0) return;
    const portRest = this.#budget.take(0);
    let next: Host | undefined;
    let shortest = Infinity;
    for (const host of this.#hosts) {
      const rest = host.budget.take(0);
      shortest = Math.min(shortest, rest);
      if (rest === 0 && (next === undefined || host.turn < next.turn)) next = host;
    }
    const rest = Math.max(portRest, next === undefined ? shortest : 0);
    if (next === undefined || rest > 0) this.#rest = setTimeout(() => this.#goOn(), rest);
    else this.#begin(next);
  }

  #begin(host: Host): void {
    const [one] = host.waiting;
    if (one === undefined) return;
    this.#remove(host, one);
    this.#isRunning = true;
    const start = this.#now();
    host.servedAt = start;
    one.run(() => {
      const ms = this.#now() - start;
      this.#meanMs += NEWEST_PART * (ms - this.#meanMs);
      this.#budget.take(ms);
      host.budget.take(ms);
      host.caller.charge(ms);
      // Others have their turn in the event loop before the next one.
      setImmediate(() => this.#goOn());
    });
  }
}

/** Returns the first host with the largest value. */
function most(hosts: Iterable<Host>, valueOf: (host: Host) => number): Host | undefined {
  let found: Host | undefined;
  for (const host of hosts) if (found === undefined || valueOf(host) > valueOf(found)) found = host;
  return found;
}
