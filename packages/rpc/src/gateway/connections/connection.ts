import type { Socket } from 'node:net';
import { plainHost } from '@monero-node/p2p/hosts';
import type { DigestSession } from '../../login/digest-session.ts';
import type { Caller } from '../../scheduling/time-shares.ts';
import type { Callers } from '../limits/callers.ts';
import type { Origin } from '../call-request.ts';
import type { Seat } from './seat.ts';

/** Most requests waiting on one connection, and bytes of their headers. */
const MAX_PIPELINED = 64;
const MAX_PIPELINED_BYTES = 256 * 1024;

/** What a client may leave waiting: part of `RpcOptions`. */
export interface ClientLimits {
  /**
   * A client that asks again while more bytes than this of its last answer are made and not taken is cut off. Long
   * answers are made while they are read, about 1 MiB ahead, so that only long single values exceed it.
   */
  responseSoftLimit: number;
}

/** The limits that apply unless others are given. `--help` shows them, so this file loads next to nothing. */
export const DEFAULT_CLIENT_LIMITS: Readonly<ClientLimits> = {
  responseSoftLimit: 26_214_400,
};

interface Waiting {
  readonly headerBytes: number;
  readonly start: () => void;
}

/** The parts of a socket that matter. */
type ClientSocket = Pick<Socket, 'destroyed' | 'remoteAddress' | 'destroy' | 'once' | 'off'>;

/** The state of one connection. */
export class ClientConnection implements Origin {
  /** The address at the other end, or that of the client for which a trusted proxy has opened the connection. */
  readonly peer: string;
  readonly #callers: Callers;
  readonly #socket: ClientSocket;
  readonly #waiting: Waiting[] = [];
  readonly #seat: Seat;
  readonly #limits: () => ClientLimits;
  #address: string;
  #caller: Caller;
  #waitingBytes = 0;
  /** Bytes of the answer being sent that are made and not taken; 0 when there is none. */
  #unsent = 0;
  #busy = false;
  #session: DigestSession | undefined;

  constructor(socket: ClientSocket, callers: Callers, seat: Seat, limits: () => ClientLimits) {
    this.#limits = limits;
    this.#socket = socket;
    this.#seat = seat;
    this.#callers = callers;
    this.peer = seat.client ?? plainHost(socket.remoteAddress ?? '');
    this.#address = this.peer;
    this.#caller = callers.of(this.peer);
  }

  get address(): string {
    return this.#address;
  }

  get caller(): Caller {
    return this.#caller;
  }

  /** The request that begins now is that of a client with this address. */
  serve(address: string): void {
    if (address === this.#address) return;
    this.#address = address;
    this.#caller = this.#callers.of(address);
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  onGone(listener: () => void): () => void {
    this.#socket.once('close', listener);
    return () => this.#socket.off('close', listener);
  }

  cutOff(): void {
    this.#socket.destroy();
  }

  /** The login of this connection, made when it is first asked for. */
  session(make: () => DigestSession): DigestSession {
    this.#session ??= make();
    return this.#session;
  }

  /**
   * Starts a request when the previous one is answered; its end must call `done`. A client that keeps sending
   * requests without reading loses its connection: when too many requests wait, or more bytes of an answer
   * than its limit are made and not taken. A long answer is made while it is read, so that few bytes of it are.
   */
  inOrder(headerBytes: number, start: () => void): void {
    const tooMany =
      this.#waiting.length >= MAX_PIPELINED ||
      this.#waitingBytes + headerBytes > MAX_PIPELINED_BYTES;
    if (tooMany || this.#unsent > this.#limits().responseSoftLimit) {
      this.#socket.destroy();
    } else if (this.#busy) {
      this.#waiting.push({ headerBytes, start });
      this.#waitingBytes += headerBytes;
    } else {
      this.#busy = true;
      start();
    }
  }

  /** The current request has arrived; its answer is being prepared. */
  received(): void {
    this.#seat.note('serving');
  }

  /** The answer is being sent. */
  sending(): void {
    this.#seat.note('sending');
  }

  /** That many bytes of the answer are made and not taken. */
  setUnsent(bytes: number): void {
    this.#unsent = bytes;
  }

  /** The current request is answered, or can't be any more. The next one has to wait for a round of the event loop. */
  done(): void {
    this.#unsent = 0;
    this.#seat.note('idle');
    if (this.#waiting.length === 0 || this.#socket.destroyed) this.#busy = false;
    else setImmediate(() => this.#startNext());
  }

  #startNext(): void {
    const next = this.#socket.destroyed ? undefined : this.#waiting.shift();
    this.#busy = next !== undefined;
    this.#waitingBytes -= next?.headerBytes ?? 0;
    next?.start();
  }
}
