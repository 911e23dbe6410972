import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { untilAborted } from '@monero-node/base/signals';
import type { Login } from '@monero-node/rpc-schema/login';
import { DigestLogin } from '../digest-login.ts';
import { RpcConnectionError, RpcHttpError, RpcLoginError } from '../errors.ts';
import { codeOf, Failure } from '../failure.ts';
import { splitChallenges } from '../fetch-transport.ts';
import { mayPass, retryDelay } from '../retry.ts';
import { LOGIN, parseServerUrl } from '../transport.ts';
import { EventLines, type ServerEvent } from './event-lines.ts';

/** Options of {@link serverEvents}. */
export interface ServerEventsOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** For a node started with `--rpc-login`. */
  readonly login?: Login | undefined;
  /** Where to go on: the `id` of an event, or a height. By default after the block that is the newest now. */
  readonly after?: string | number | undefined;
  /** Ends the iterator, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Is told of each failure that may pass: the stream is asked for again after a while. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

const OPTIONS: OptionTable<ServerEventsOptions> = {
  url: NEEDED,
  login: { optional: true, table: LOGIN },
  after: OPTIONAL,
  signal: OPTIONAL,
  onTrouble: OPTIONAL,
};

const PATH = '/events';
/** Longest wait for anything: a node without news sends a comment every 15 seconds. */
const SILENCE_MS = 45_000;
/** Between two tries. */
const PAUSES = { attempts: Number.POSITIVE_INFINITY, minDelay: 1000, maxDelay: 30_000 };
/** Of a login: the first without one, and one whose nonce has become stale. */
const MOST_TRIES = 3;

/**
 * Yields what a node tells in its stream `/events` (docs/operating/events.md): blocks that are added and removed, and transactions of its
 * pool. When the stream breaks, it is asked for again and goes on after the last block, so that no block is missed; what happened to the
 * pool meanwhile is not told. It can be the `wakes` of `watchBlocks` and its like.
 *
 * The iterator rejects with RpcHttpError where there is no such stream, as in monerod, and with RpcLoginError. Leaving the loop closes the
 * connection at once.
 *
 * Throws TypeError for an address that is not a URL with http or https, and OptionError for a missing or an unknown option.
 */
export function serverEvents(options: ServerEventsOptions): AsyncIterableIterator<ServerEvent> {
  checkOptions('serverEvents', options, OPTIONS);
  const ended = new AbortController();
  const { signal } = options;
  const events = new EventReader(
    options,
    signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]),
  ).events();
  const done = { done: true, value: undefined } as const;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      try {
        return await events.next();
      } catch (error) {
        if (ended.signal.aborted) return done;
        throw error;
      }
    },
    return: () => {
      // Whoever waits for the next event has the end instead.
      ended.abort();
      return Promise.resolve(done);
    },
  };
}

class EventReader {
  readonly #options: ServerEventsOptions;
  readonly #url: URL;
  readonly #ends: AbortSignal;
  readonly #login: DigestLogin | undefined;
  /** The last block that was told, or what the options name. */
  #after: string | undefined;

  constructor(options: ServerEventsOptions, ends: AbortSignal) {
    this.#options = options;
    this.#url = new URL(PATH, parseServerUrl(options.url).origin);
    this.#ends = ends;
    this.#login = options.login === undefined ? undefined : new DigestLogin(options.login);
    this.#after = options.after?.toString();
  }

  async *events(): AsyncGenerator<ServerEvent, undefined> {
    for (let failures = 1; ; failures++) {
      try {
        for await (const event of this.#stream()) {
          failures = 0;
          this.#after = event.position ?? this.#after;
          yield event;
        }
        // A node that stops ends its streams.
        throw new Failure('closed', 'the stream has ended');
      } catch (error) {
        this.#ends.throwIfAborted();
        const reason = toRpcError(error);
        if (!mayPass(reason, true)) throw reason;
        this.#options.onTrouble?.(reason);
      }
      await pause(retryDelay(PAUSES, Math.max(1, failures)), this.#ends);
    }
  }

  /** Yields the events of one connection, until it ends or the reader has enough. */
  async *#stream(): AsyncGenerator<ServerEvent, void> {
    const connection = new AbortController();
    const signal = AbortSignal.any([connection.signal, this.#ends]);
    // Only while something is waited for: a slow reader is not a silent node.
    const unlessSilent = async <T>(answer: Promise<T>): Promise<T> => {
      const silence = new Failure('timeout', `nothing came for ${SILENCE_MS / 1000} s`);
      const timer = setTimeout(() => connection.abort(silence), SILENCE_MS);
      return answer.finally(() => clearTimeout(timer));
    };
    try {
      const body = await unlessSilent(this.#open(signal));
      const lines = new EventLines();
      for (;;) {
        const { done, value } = await unlessSilent(body.read());
        if (done) return;
        yield* lines.take(value);
      }
    } finally {
      connection.abort();
    }
  }

  async #open(signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    for (let tries = 1; ; tries++) {
      const target = `${this.#url.pathname}${this.#after === undefined ? '' : `?after=${this.#after}`}`;
      const authorization = this.#login?.authorization('GET', target);
      const response = await fetch(new URL(target, this.#url), {
        headers: {
          Accept: 'text/event-stream',
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        },
        signal,
        credentials: 'omit',
        redirect: 'error',
      });
      if (response.status === 200 && response.body !== null) return response.body.getReader();
      await response.body?.cancel();
      if (response.status !== 401) throw new RpcHttpError(PATH, response.status);
      const challenges = splitChallenges(response.headers.get('www-authenticate'));
      if (tries === MOST_TRIES || this.#login?.challenged(challenges) !== true) {
        throw new RpcLoginError();
      }
    }
  }
}

/** Returns an error of this package for whatever `fetch` rejects with. */
function toRpcError(error: unknown): RpcConnectionError | RpcHttpError | RpcLoginError {
  if (error instanceof RpcHttpError || error instanceof RpcLoginError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RpcConnectionError(`${PATH}: ${message}`, { code: codeOf(error), cause: error });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await untilAborted(over, signal).finally(() => clearTimeout(timer));
}
