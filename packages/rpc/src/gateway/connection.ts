import type { Login } from '@monero-node/rpc-schema/login';
import type { Socket } from 'node:net';
import { DigestSession } from '../login/digest-session.ts';
import { plainAddress } from './addresses.ts';

/** Most requests waiting on one connection. */
const MAX_PIPELINED = 64;

/** The state of one connection. */
export class Connection {
  /** The address of the client. */
  readonly address: string;
  /** Bytes of the answer being sent; 0 when there is none. */
  unsent = 0;
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  #session: DigestSession | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.address = plainAddress(socket.remoteAddress ?? '');
  }

  /** The login of this connection, made when it is first asked for. */
  session(login: Login): DigestSession {
    this.#session ??= new DigestSession(login);
    return this.#session;
  }

  /**
   * Starts a request when the previous one is answered; its end must call `done`. A client that keeps sending
   * requests without reading loses its connection: when too many requests wait, or more than `softLimit` bytes of an
   * answer are unsent.
   */
  inOrder(softLimit: number, start: () => void): void {
    if (this.#waiting.length >= MAX_PIPELINED || this.unsent > softLimit) {
      this.#socket.destroy();
    } else if (this.#busy) {
      this.#waiting.push(start);
    } else {
      this.#busy = true;
      start();
    }
  }

  /** The current request is answered, or can't be any more. */
  done(): void {
    const start = this.#socket.destroyed ? undefined : this.#waiting.shift();
    this.#busy = start !== undefined;
    start?.();
  }
}
