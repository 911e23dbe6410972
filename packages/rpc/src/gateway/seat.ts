import type { Socket } from 'node:net';
import type { MillisecondClock } from '@monero-node/base';

/** A client that takes longer than this to read an answer may lose its place to a new one, milliseconds. */
const SLOW_READER_MS = 30_000;

/** The state of a connection; `silent` until its first request has arrived. */
type Doing = 'silent' | 'idle' | 'serving' | 'sending';

/** The place of a connection among those of its port. */
export class Seat {
  readonly socket: Socket;
  /** The client's host; see `hostOf`. */
  readonly host: string;
  readonly #now: MillisecondClock;
  /** Whether another process has the connection. */
  isMoved = false;
  #doing: Doing = 'silent';
  #since: number;

  constructor(socket: Socket, host: string, now: MillisecondClock) {
    this.socket = socket;
    this.host = host;
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
   * How readily the place is given to a new connection: 2 for one that has sent no complete request yet, 1 for one that
   * waits for the client, 0 for one whose call is running.
   */
  get idleness(): number {
    if (this.isMoved) return 0;
    if (this.#doing === 'silent') return 2;
    const waitsForReader = this.#doing === 'sending' && this.#now() - this.#since > SLOW_READER_MS;
    return this.#doing === 'idle' || waitsForReader ? 1 : 0;
  }
}
