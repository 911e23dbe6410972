import type { Socket } from 'node:net';
import { monotonicMilliseconds, type MillisecondClock } from '@monero-node/base';
import { hostOf, isPrivateAddress, plainAddress } from './addresses.ts';
import { Seat } from './seat.ts';

/** Most connections per listener; see `RpcOptions`. */
export interface ConnectionLimits {
  readonly perPublicIp: number;
  readonly perPrivateIp: number;
  readonly total: number;
}

/**
 * Counts the open connections of a port. Turns away those over the limit of their host, which for IPv6 is a /64; for
 * one over the limit in total the oldest connection that waits for its client is closed.
 */
export class ConnectionCounter {
  readonly #limits: ConnectionLimits;
  readonly #now: MillisecondClock;
  readonly #perHost = new Map<string, number>();
  /** By the ends of the connection. */
  readonly #seats = new Map<string, Seat>();

  constructor(limits: ConnectionLimits, now: MillisecondClock = monotonicMilliseconds) {
    this.#limits = limits;
    this.#now = now;
  }

  get total(): number {
    return this.#seats.size;
  }

  /** Counts a connection until it closes; returns false, without counting, when there are too many. */
  admit(socket: Socket): boolean {
    const address = plainAddress(socket.remoteAddress ?? '');
    const host = hostOf(address);
    const open = this.#perHost.get(host) ?? 0;
    const most = isPrivateAddress(address) ? this.#limits.perPrivateIp : this.#limits.perPublicIp;
    if (open >= most || !this.#makeRoom()) return false;
    const seat = new Seat(socket, host, this.#now);
    const key = keyOf(socket);
    // Making room may have closed one of this host.
    this.#perHost.set(host, (this.#perHost.get(host) ?? 0) + 1);
    this.#seats.set(key, seat);
    socket.once('close', () => {
      if (!seat.isMoved) this.#release(key, seat);
    });
    return true;
  }

  /**
   * The socket of a connection is about to close because another process has the connection now. Returns the function to call
   * when that one has closed it; until then it is counted, and is not closed to make room.
   */
  move(socket: Socket): () => void {
    const key = keyOf(socket);
    const seat = this.#seats.get(key);
    if (seat === undefined) return () => undefined;
    seat.isMoved = true;
    return () => {
      this.#release(key, seat);
    };
  }

  /** Closes the connection that waits longest for its client. Returns false when all calls are running. */
  closeIdlest(): boolean {
    const found = this.#idlest();
    if (found === undefined) return false;
    const [key, seat] = found;
    this.#release(key, seat);
    seat.socket.destroy();
    return true;
  }

  /** Returns the place of a connection, whether its socket is plain or TLS. */
  seatOf(socket: Socket): Seat {
    const seat = this.#seats.get(keyOf(socket));
    return seat ?? new Seat(socket, hostOf(plainAddress(socket.remoteAddress ?? '')), this.#now);
  }

  #makeRoom(): boolean {
    return this.#seats.size < this.#limits.total || this.closeIdlest();
  }

  #idlest(): readonly [key: string, seat: Seat] | undefined {
    let found: readonly [key: string, seat: Seat] | undefined;
    for (const entry of this.#seats) {
      const { idleness, since } = entry[1];
      if (idleness === 0) continue;
      const best = found?.[1];
      const isBetter =
        best === undefined ||
        idleness > best.idleness ||
        (idleness === best.idleness && since < best.since);
      if (isBetter) found = entry;
    }
    return found;
  }

  #release(key: string, seat: Seat): void {
    if (this.#seats.get(key) !== seat) return;
    this.#seats.delete(key);
    const left = (this.#perHost.get(seat.host) ?? 1) - 1;
    if (left === 0) this.#perHost.delete(seat.host);
    else this.#perHost.set(seat.host, left);
  }
}

/** A TLS socket has the ends of the socket below it. */
const keyOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
