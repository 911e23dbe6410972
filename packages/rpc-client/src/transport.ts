import { NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { Login } from '@monero-node/rpc-schema/login';
import pLimit, { type LimitFunction } from 'p-limit';
import { assertTimeout, runCall, type CallOptions } from './call-options.ts';
import { RpcConnectionError, RpcHttpError, RpcLoginError } from './errors.ts';
import { codeOf } from './failure.ts';

/** Carries requests to one server. */
export interface RpcTransport {
  /** What hooks are told, such as `http://127.0.0.1:18081`. */
  readonly name?: string;
  /**
   * Sends a request body and returns the body of the answer. Several calls may be under way.
   * Rejects with RpcConnectionError, RpcLoginError or RpcHttpError, and with the reason of the signal of `call`.
   *
   * @param call a transport that cannot stop a call may leave it unread: the client stops to wait by itself
   */
  post(
    path: string,
    contentType: string,
    body: Uint8Array,
    call?: CallOptions,
  ): Promise<Uint8Array>;
  /** Closes the connections. Calls under way fail, those that wait for their turn too; later calls open others. */
  close(): void;
}

/** Options that every HTTP transport has. */
export interface HttpOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** For servers started with `--rpc-login`. */
  readonly login?: Login | undefined;
  /** Milliseconds in which an answer must be complete, counted from the call; 180,000 by default. */
  readonly timeout?: number | undefined;
  /** Largest answer, bytes; 256 MiB by default. */
  readonly maxAnswer?: number | undefined;
  /**
   * Most calls, and connections, at the same time; the others wait for their turn. 3 by default: nodes take no more connections of one
   * public address unless told to. With a login it is always 1, because what it signs belongs to a connection.
   */
  readonly concurrency?: number | undefined;
}

/** The fields of a login. */
export const LOGIN: OptionTable<Login> = { username: NEEDED, password: NEEDED };

/** The options that every HTTP transport has. */
export const HTTP_OPTIONS: OptionTable<HttpOptions> = {
  url: NEEDED,
  login: { optional: true, table: LOGIN },
  timeout: OPTIONAL,
  maxAnswer: OPTIONAL,
  concurrency: OPTIONAL,
};

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Sends requests. */
export interface Poster {
  /** Rejects with an Error when no complete answer came, or the signal ended the call. */
  post(path: string, contentType: string, body: Uint8Array, ends: AbortSignal): Promise<HttpAnswer>;
  /** Closes the connections that are kept for later calls, unless the platform keeps them. */
  close?(): void;
}

/** Longest wait for an answer, milliseconds. */
const DEFAULT_TIMEOUT = 180_000;
/** Largest answer, bytes. */
export const DEFAULT_MAX_ANSWER = 256 * 1024 * 1024;
const DEFAULT_CONCURRENCY = 3;

/** Reads the address of a server. Throws TypeError unless it is a URL with http or https. */
export function parseServerUrl(address: string): URL {
  const url = new URL(address);
  if (!['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`${address} is neither http nor https`);
  }
  return url;
}

/** Returns how many calls of a transport may be under way. Throws RangeError unless it is a positive whole number. */
export function concurrencyOf({ concurrency = DEFAULT_CONCURRENCY, login }: HttpOptions): number {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`the concurrency is a positive whole number, not ${concurrency}`);
  }
  return login === undefined ? concurrency : 1;
}

/** A transport over HTTP: sends a few requests at a time and turns failures into errors of this package. */
export class HttpTransport implements RpcTransport {
  readonly name: string;
  readonly #host: string;
  readonly #poster: Poster;
  readonly #timeout: number;
  readonly #turns: LimitFunction;
  /** The calls under way, with those that wait for their turn. */
  readonly #calls = new Set<AbortController>();

  /**
   * Throws RangeError for a time-out or a concurrency that is not positive.
   *
   * @param url address of the server, whose scheme, host and port errors and hooks name
   */
  constructor({ host, protocol }: URL, options: HttpOptions, poster: Poster) {
    const { timeout = DEFAULT_TIMEOUT } = options;
    assertTimeout(timeout);
    this.name = `${protocol}//${host}`;
    this.#host = host;
    this.#timeout = timeout;
    this.#turns = pLimit(concurrencyOf(options));
    this.#poster = poster;
  }

  async post(
    path: string,
    contentType: string,
    body: Uint8Array,
    { signal, timeout = this.#timeout }: CallOptions = {},
  ): Promise<Uint8Array> {
    const failed = (error: unknown) =>
      new RpcConnectionError(`${this.#host}${path}: ${reasonOf(error)}`, {
        cause: error,
        code: codeOf(error),
      });
    const timedOut = () =>
      new RpcConnectionError(`${this.#host}${path}: no answer in time`, { code: 'timeout' });
    const send = (ends: AbortSignal): Promise<HttpAnswer> =>
      this.#turns(async () => {
        ends.throwIfAborted();
        return this.#poster.post(path, contentType, body, ends).catch((error: unknown) => {
          throw failed(error);
        });
      });
    const answer = await runCall({ signal, timeout }, timedOut, send, this.#calls);
    if (answer.status === 401) throw new RpcLoginError();
    if (answer.status !== 200) throw new RpcHttpError(path, answer.status);
    return answer.body;
  }

  close(): void {
    const closed = new RpcConnectionError(`${this.#host}: the client was closed`, {
      code: 'closed',
    });
    for (const call of this.#calls) call.abort(closed);
    this.#poster.close?.();
  }
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.message === 'fetch failed'
    ? error.cause.message
    : error.message;
}
