import type { Socket } from 'node:net';
import {
  monotonicMilliseconds,
  Seats,
  type MillisecondClock,
  type SeatLimits,
} from '@monero-node/base';
import { clientHost, isPrivate, plainHost } from '@monero-node/p2p/hosts';
import type { TrustedProxies } from './trusted-proxies.ts';
import { endsOf, IDLE, Seat } from './seat.ts';

/** Most connections per listener; see `RpcOptions`. */
export interface ConnectionLimits {
  readonly perPublicIp: number;
  readonly perPrivateIp: number;
  readonly total: number;
}

/** The limits of a listener, and what happens at them. */
export interface ConnectionQuota extends ConnectionLimits {
  /** Whether a new connection of a host at its limit replaces one or is refused; `refuses` by default, as in monerod. */
  readonly fullHost?: SeatLimits['fullHost'];
  /** Proxies, whose connections are counted for their clients while they are used for one. None by default. */
  readonly proxies?: Pick<TrustedProxies, 'isTrusted'> | undefined;
}

/** A connection that another process has. */
export interface MovedConnection {
  /** That process has closed it. */
  readonly release: () => void;
  /** See `ConnectionCounter.countFor`. */
  readonly countFor: (client: string | undefined) => boolean;
}

const UNKNOWN_CONNECTION: MovedConnection = { release: () => undefined, countFor: () => true };

/**
 * Counts the open connections of a port. Turns away those over the limit of their host, which for IPv6 is a /64; for
 * one over the limit in total the oldest connection that waits for its client is closed.
 */
export class ConnectionCounter {
  readonly #now: MillisecondClock;
  readonly #proxies: ConnectionQuota['proxies'];
  /** By the ends of the connection. */
  readonly #byEnds = new Map<string, Seat>();
  readonly #seats: Seats<Seat>;
  #limits: ConnectionLimits;

  constructor(limits: ConnectionQuota, now: MillisecondClock = monotonicMilliseconds) {
    const { fullHost = 'refuses', proxies } = limits;
    this.#limits = limits;
    const current = (): ConnectionLimits => this.#limits;
    this.#now = now;
    this.#proxies = proxies;
    this.#seats = new Seats<Seat>(
      {
        get total() {
          return current().total;
        },
        fullHost,
        perHost: (host) => {
          if (host === PROXY) return Infinity;
          return host.startsWith(PRIVATE) ? current().perPrivateIp : current().perPublicIp;
        },
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

  /** Other limits hold for new connections; those that are open stay. */
  setLimits(limits: ConnectionLimits): void {
    this.#limits = limits;
  }

  /** Closes every connection that this process has. */
  closeAll(): void {
    for (const { socket, isMoved } of [...this.#byEnds.values()]) if (!isMoved) socket.destroy();
  }

  /**
   * Counts a connection until it closes; returns false, without counting, when there are too many.
   *
   * @param atLeast how idle a connection must be that is closed for it; see `Seat`
   */
  admit(socket: Socket, atLeast = IDLE): boolean {
    const seat = new Seat(socket, this.#hostAt(socket), this.#now);
    if (!this.#seats.enter(seat, atLeast)) return false;
    this.#byEnds.set(seat.key, seat);
    socket.once('close', () => {
      if (!seat.isMoved) this.#release(seat);
    });
    return true;
  }

  /** Returns whether the host of a connection has all that it may have, so that closing those of others does not help. */
  isHostFull(socket: Socket): boolean {
    return this.#seats.isFull(this.#hostAt(socket));
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
  move(socket: Socket): MovedConnection {
    const seat = this.#byEnds.get(endsOf(socket));
    if (seat === undefined) return UNKNOWN_CONNECTION;
    seat.isMoved = true;
    return {
      release: () => this.#release(seat),
      countFor: (client) => this.#countFor(seat, client),
    };
  }

  /**
   * Counts the connection of a proxy for a client from now on, or for the proxy again when that is undefined. Returns false, and
   * changes nothing, when the client has too many.
   */
  countFor(socket: Socket, client: string | undefined): boolean {
    const seat = this.#byEnds.get(endsOf(socket));
    return seat === undefined || this.#countFor(seat, client);
  }

  #countFor(seat: Seat, client: string | undefined): boolean {
    const host = client === undefined ? seat.ownHost : hostNamed(client);
    return this.#seats.move(seat, host, () => (seat.host = host));
  }

  /**
   * Closes the connection that waits longest for its client, if one is at least that idle; see `Seat`. Returns its socket;
   * undefined when there is none.
   */
  closeIdlest(atLeast = IDLE): Socket | undefined {
    return this.#seats.vacateIdlest(atLeast)?.socket;
  }

  /** Returns the place of a connection, whether its socket is plain or TLS. */
  seatOf(socket: Socket): Seat {
    return this.#byEnds.get(endsOf(socket)) ?? new Seat(socket, this.#hostAt(socket), this.#now);
  }

  #hostAt({ remoteAddress = '' }: Socket): string {
    const address = plainHost(remoteAddress);
    return this.#proxies?.isTrusted(address) === true ? PROXY : hostNamed(address);
  }

  #release(seat: Seat): void {
    this.#forget(seat);
    this.#seats.leave(seat);
  }

  #forget(seat: Seat): void {
    if (this.#byEnds.get(seat.key) === seat) this.#byEnds.delete(seat.key);
  }
}

/** Mark of hosts with a private address: a /64 alone does not tell. */
const PRIVATE = 'private ';
/** All trusted proxies, when they speak for themselves. */
const PROXY = 'proxy';

const hostNamed = (address: string): string =>
  `${isPrivate(address) ? PRIVATE : ''}${clientHost(address)}`;
