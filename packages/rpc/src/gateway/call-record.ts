import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';
import { shownRequest, type FinishedCall } from '../finished-call.ts';
import { FLEET_PATH, LIVE_PATH, READY_PATH } from './health.ts';
import type { Reply } from './answers/reply.ts';
import type { Routes } from './answers/routes.ts';

/** Follows one HTTP call until it has ended. */
export class CallRecord {
  readonly #socket: Socket;
  readonly #bytesBefore: number;
  readonly #began = performance.now();
  #received = this.#began;
  #answered = 0;
  #reply: Reply | undefined;

  /** To be made when the connection turns to this call. */
  constructor(socket: Socket) {
    this.#socket = socket;
    this.#bytesBefore = bytesWritten(socket);
  }

  /** All of the request has arrived. */
  received(): void {
    this.#received = performance.now();
  }

  /** The answer is ready to be sent; the rest of a long one is made while the client reads it. */
  answered(reply: Reply): void {
    this.#answered = performance.now();
    this.#reply = reply;
  }

  /** Returns the call once it has ended. */
  finish(
    url: string,
    routes: Routes,
    { address, isSent }: Pick<FinishedCall, 'address' | 'isSent'>,
  ): FinishedCall {
    const reply = this.#reply;
    const now = performance.now();
    return {
      interface: 'http',
      address,
      isSent,
      request: shownRequest(url, reply?.called),
      method: methodOf(url, reply, routes),
      status: statusOf(reply),
      secondsToAnswer: ((reply === undefined ? now : this.#answered) - this.#received) / 1000,
      seconds: (now - this.#began) / 1000,
      bytes: bytesWritten(this.#socket) - this.#bytesBefore,
    };
  }
}

/** Returns what a call was and how it ended. `reply` is undefined when the call got none. */
export function factsOf(
  url: string,
  reply: Reply | undefined,
  routes: Routes,
): Pick<FinishedCall, 'request' | 'method' | 'status'> {
  return {
    request: shownRequest(url, reply?.called),
    method: methodOf(url, reply, routes),
    status: statusOf(reply),
  };
}

function methodOf(url: string, reply: Reply | undefined, routes: Routes): string {
  return reply?.method ?? methodAt(url, routes);
}

function statusOf(reply: Reply | undefined): string {
  if (reply === undefined) return 'aborted';
  if (reply.failed) return 'error';
  return reply.status === 200 ? '200' : String(reply.status);
}

/** A socket without a buffer has none. */
const bytesWritten = (socket: Socket): number => Number(socket.bytesWritten) || 0;

function methodAt(url: string, { jsonPaths, binaryPaths }: Routes): string {
  const method = jsonPaths.get(url) ?? binaryPaths.get(url);
  if (method !== undefined) return method.name;
  return [LIVE_PATH, READY_PATH, FLEET_PATH].includes(url) ? 'health' : 'unknown';
}
