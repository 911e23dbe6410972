import type { Socket } from 'node:net';
import {
  monotonicMilliseconds,
  Seats,
  type MillisecondClock,
  type SeatLimits,
} from '@monero-node/base';
import { hostOf, isPrivateAddress, plainAddress } from './addresses.ts';
import { endsOf, Seat } from './seat.ts';

/** Most connections per listener; see `RpcOptions`. */
export interface ConnectionLimits {
  readonly perPublicIp: number;
  readonly perPrivateIp: number;
  readonly total: number;
  /** What happens to a new connection of a host that has all of its own; `refuses` by default, as in monerod. */
  readonly fullHost?: SeatLimits['fullHost'];
}

/**
 * Counts the open connections of a port. Turns away those over the limit of their host, which for IPv6 is a /64; for
 * one over the limit in total the oldest connection that waits for its client is closed.
 */
export class ConnectionCounter {
  readonly #now: MillisecondClock;
  /** By the ends of the connection. */
  readonly #byEnds = new Map<string, Seat>();
  readonly #seats: Seats<Seat>;

  constructor(limits: ConnectionLimits, now: MillisecondClock = monotonicMilliseconds) {
    const { perPublicIp, perPrivateIp, total, fullHost = 'refuses' } = limits;
    this.#now = now;
    this.#seats = new Seats<Seat>(
      {
        ...{ total, fullHost },
        perHost: (host) => (host.startsWith(PRIVATE) ? perPrivateIp : perPublicIp),
      },
      (seat) => {
        this.#forget(seat);
        seat.socket.destroy();
      },
    );
  }

  get total(): number {
    return this.#byEnds.size;
  }

  /** Counts a connection until it closes; returns false, without counting, when there are too many. */
  admit(socket: Socket): boolean {
    const seat = new Seat(socket, hostAt(socket), this.#now);
    if (!this.#seats.enter(seat)) return false;
    this.#byEnds.set(seat.key, seat);
    socket.once('close', () => {
      if (!seat.isMoved) this.#release(seat);
    });
    return true;
  }

  /** Returns whether the host of a connection has all that it may have, so that closing those of others does not help. */
  isHostFull(socket: Socket): boolean {
    return this.#seats.isFull(hostAt(socket));
  }

  /**
   * States whether another process has a connection or is being given it. Then it is not closed to make room here, where that
   * would leave it open there.
   */
  setAway(socket: Socket, isAway: boolean): void {
    const seat = this.#byEnds.get(endsOf(socket));
    if (seat !== undefined) seat.isMoved = isAway;
  }

  /**
   * The socket of a connection is about to close because another process has the connection now. Returns the function to call
   * when that one has closed it; until then it is counted, and is not closed to make room.
   */
  move(socket: Socket): () => void {
    const seat = this.#byEnds.get(endsOf(socket));
    if (seat === undefined) return () => undefined;
    seat.isMoved = true;
    return () => {
      this.#release(seat);
    };
  }

  /**
   * Closes the connection that waits longest for its client, if one is at least that idle; see `Seat`. Returns its socket;
   * undefined when there is none.
   */
  closeIdlest(atLeast = 1): Socket | undefined {
    return this.#seats.vacateIdlest(atLeast)?.socket;
  }

  /** Returns the place of a connection, whether its socket is plain or TLS. */
  seatOf(socket: Socket): Seat {
    return this.#byEnds.get(endsOf(socket)) ?? new Seat(socket, hostAt(socket), this.#now);
  }

  #release(seat: Seat): void {
    this.#forget(seat);
    this.#seats.leave(seat);
  }

  #forget(seat: Seat): void {
    if (this.#byEnds.get(seat.key) === seat) this.#byEnds.delete(seat.key);
  }
}

const PRIVATE = 'private ';

/** Returns the host of a connection, marked when its address is private: a /64 alone does not tell. */
function hostAt({ remoteAddress = '' }: Socket): string {
  const address = plainAddress(remoteAddress);
  return `${isPrivateAddress(address) ? PRIVATE : ''}${hostOf(address)}`;
}
