import type { Socket } from 'node:net';
import type { MillisecondClock, Seated } from '@monero-node/base';

/** A client that takes longer than this to read an answer may lose its place to a new one, milliseconds. */
const SLOW_READER_MS = 30_000;

/** The state of a connection; `silent` until its first request has arrived. */
type Doing = 'silent' | 'idle' | 'serving' | 'sending';

/** Idleness of a connection that has sent no complete request yet, and of one that waits for its client. */
export const SILENT = 2;
export const IDLE = 1;

/** The place of a connection among those of its port. */
export class Seat implements Seated {
  readonly socket: Socket;
  /** The host for which it counts: that of the client, or of the proxy between two requests of clients. */
  host: string;
  /** The host at the other end. */
  readonly ownHost: string;
  /** Address of the client for which a trusted proxy has opened the connection, as the proxy said. */
  client: string | undefined;
  /** See `endsOf`. A closed socket has none. */
  readonly key: string;
  readonly #now: MillisecondClock;
  /** Whether another process has the connection. */
  isMoved = false;
  #doing: Doing = 'silent';
  #since: number;

  constructor(socket: Socket, host: string, now: MillisecondClock) {
    this.socket = socket;
    this.host = host;
    this.ownHost = host;
    this.key = endsOf(socket);
    this.#now = now;
    this.#since = now();
  }

  /** When the connection began to do what it does, milliseconds. */
  get since(): number {
    return this.#since;
  }

  note(doing: Doing): void {
    this.#doing = doing;
    this.#since = this.#now();
  }

  /**
   * How readily the place is given to a new connection: `SILENT`, `IDLE`, or 0 for one whose call is running.
   */
  get idleness(): number {
    if (this.isMoved) return 0;
    if (this.#doing === 'silent') return SILENT;
    const waitsForReader = this.#doing === 'sending' && this.#now() - this.#since > SLOW_READER_MS;
    return this.#doing === 'idle' || waitsForReader ? IDLE : 0;
  }
}

/** Returns the two ends of a connection. A TLS socket has those of the socket below it. */
export function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
