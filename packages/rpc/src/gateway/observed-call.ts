import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';
import type { CallFacts } from '../call-observer.ts';
import { isHealthPath } from './health.ts';
import type { Reply } from './reply.ts';
import type { Routes } from './routes.ts';

/** Collects what an observer learns about one call. */
export class ObservedCall {
  readonly #socket: Socket;
  readonly #bytesBefore: number;
  #start = performance.now();
  #answered = 0;
  #reply: Reply | undefined;

  /** To be made when the connection turns to this call. */
  constructor(socket: Socket) {
    this.#socket = socket;
    this.#bytesBefore = bytesWritten(socket);
  }

  /** All of the request has arrived. */
  received(): void {
    this.#start = performance.now();
  }

  /** The answer is ready to be sent; the rest of a long one is made while the client reads it. */
  answered(reply: Reply): void {
    this.#answered = performance.now();
    this.#reply = reply;
  }

  /** Returns the facts of the call once it has ended. */
  finish(url: string, routes: Routes): CallFacts {
    const reply = this.#reply;
    const end = reply === undefined ? performance.now() : this.#answered;
    return {
      method: reply?.method ?? methodAt(url, routes),
      status: reply === undefined ? 'aborted' : reply.failed ? 'error' : String(reply.status),
      seconds: (end - this.#start) / 1000,
      bytes: bytesWritten(this.#socket) - this.#bytesBefore,
    };
  }
}

/** A socket without a buffer has none. */
const bytesWritten = (socket: Socket): number => Number(socket.bytesWritten) || 0;

function methodAt(url: string, { jsonPaths, binaryPaths }: Routes): string {
  const method = jsonPaths.get(url) ?? binaryPaths.get(url);
  return method?.name ?? (isHealthPath(url) ? 'health' : 'unknown');
}
