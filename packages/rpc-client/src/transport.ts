import type { Login } from '@monero-node/rpc-schema/login';
import pLimit from 'p-limit';
import { RpcConnectionError, RpcHttpError, RpcLoginError } from './errors.ts';

/** Carries requests to one server. */
export interface RpcTransport {
  /**
   * Sends a request body and returns the body of the answer. Calls are served one after another.
   * Rejects with RpcConnectionError, RpcLoginError or RpcHttpError.
   */
  post(path: string, contentType: string, body: Uint8Array): Promise<Uint8Array>;
  /** Closes the connection. Calls under way fail; later calls open another connection. */
  close(): void;
}

/** Options that every HTTP transport has. */
export interface HttpOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** For servers started with `--rpc-login`. */
  readonly login?: Login | undefined;
  /** Milliseconds in which an answer must be complete; 180,000 by default. */
  readonly timeout?: number | undefined;
  /** Largest answer, bytes; 256 MiB by default. */
  readonly maxAnswer?: number | undefined;
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Sends one request at a time. */
export interface Poster {
  /** Rejects with an Error when no complete answer came. */
  post(path: string, contentType: string, body: Uint8Array): Promise<HttpAnswer>;
  close(): void;
}

/** Longest wait for an answer, milliseconds. */
export const DEFAULT_TIMEOUT = 180_000;
/** Largest answer, bytes. */
export const DEFAULT_MAX_ANSWER = 256 * 1024 * 1024;

/** Reads the address of a server. Throws TypeError unless it is a URL with http or https. */
export function parseServerUrl(address: string): URL {
  const url = new URL(address);
  if (!['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`${address} is neither http nor https`);
  }
  return url;
}

/** A transport over HTTP: sends requests one after another and turns failures into errors of this package. */
export class HttpTransport implements RpcTransport {
  readonly #host: string;
  readonly #poster: Poster;
  readonly #oneAtATime = pLimit(1);

  /** @param host name of the server in error messages */
  constructor(host: string, poster: Poster) {
    this.#host = host;
    this.#poster = poster;
  }

  async post(path: string, contentType: string, body: Uint8Array): Promise<Uint8Array> {
    const answer = await this.#oneAtATime(() => this.#poster.post(path, contentType, body)).catch(
      (error: unknown) => {
        throw new RpcConnectionError(`${this.#host}${path}: ${reasonOf(error)}`, { cause: error });
      },
    );
    if (answer.status === 401) throw new RpcLoginError();
    if (answer.status !== 200) throw new RpcHttpError(path, answer.status);
    return answer.body;
  }

  close(): void {
    this.#poster.close();
  }
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.message === 'fetch failed'
    ? error.cause.message
    : error.message;
}
