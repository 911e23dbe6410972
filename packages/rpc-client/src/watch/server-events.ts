import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { Login } from '@monero-node/rpc-schema/login';
import { pause } from '../call-options.ts';
import { DigestLogin } from '../digest-login.ts';
import {
  RpcAnswerError,
  RpcConnectionError,
  RpcError,
  RpcHttpError,
  RpcLoginError,
} from '../errors.ts';
import { codeOf, Failure } from '../failure.ts';
import { splitChallenges } from '../fetch-transport.ts';
import { mayPass, retryDelay } from '../retry.ts';
import { LOGIN, parseServerUrl } from '../transport.ts';
import { EVENT_POSITION, EventLines, type ServerEvent } from './event-lines.ts';
import { WatchError } from './watch-error.ts';

/** Options of {@link serverEvents}. */
export interface ServerEventsOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** For a node started with `--rpc-login`. */
  readonly login?: Login | undefined;
  /** Where to go on: the `id` of an event, or a height. By default after the block that is the newest now. */
  readonly after?: string | number | undefined;
  /** `blocks` leaves out what happens to the pool: so it is no reason to look for blocks. `all` by default. */
  readonly events?: 'all' | 'blocks' | undefined;
  /** Ends the iterator, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Is told of each failure that may pass: the stream is asked for again after a while. Is told too, by WatchError with the code `missed`,
   * when the node goes on at a later block than it was asked for: the blocks between are not told.
   */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

const OPTIONS: OptionTable<ServerEventsOptions> = {
  url: NEEDED,
  login: { optional: true, table: LOGIN },
  after: OPTIONAL,
  events: OPTIONAL,
  signal: OPTIONAL,
  onTrouble: OPTIONAL,
};

const PATH = '/events';
const STREAM = /^text\/event-stream *(;|$)/i;
/** Longest wait for anything: a node without news sends a comment every 15 seconds. */
const SILENCE_MS = 45_000;
/** Between two tries. */
const PAUSES = { attempts: Number.POSITIVE_INFINITY, minDelay: 1000, maxDelay: 30_000 };
/** A connection that told events for so long was a good one: the pauses begin anew, milliseconds. */
const LASTING_MS = 10_000;
/** Of a login: the first without one, and one whose nonce has become stale. */
const MOST_TRIES = 3;

/**
 * Yields what a node tells in its stream `/events` (docs/operating/events.md): blocks that are added and removed, and transactions of its
 * pool. When the stream breaks, it is asked for again and goes on after the last block; what happened to the pool meanwhile is not told.
 * It can be the `wakes` of `watchBlocks` and its like.
 *
 * A node that does not know the block, or is more than 10,000 blocks further, goes on at its newest one: the event `position` then has the
 * `reason` `unknown` or `too-old`, and `onTrouble` is told. Ask `get_block_headers_range` for the blocks between. Those that come before
 * the first event are not told either, unless `after` names a block.
 *
 * The iterator rejects with RpcHttpError where there is no such stream, as in monerod, and for a redirect; with RpcAnswerError for an answer
 * that is no stream of events, or for an event that cannot be read; and with RpcLoginError. Leaving the loop closes the connection at once.
 *
 * Throws TypeError for an address that is not a URL with http or https, for an `after` that is neither `HEIGHT` nor `HEIGHT-ID`, and for
 * other `events` than there are; and OptionError for a missing or an unknown option.
 */
export function serverEvents(options: ServerEventsOptions): AsyncIterableIterator<ServerEvent> {
  checkOptions('serverEvents', options, OPTIONS);
  const { after, events: wanted = 'all' } = options;
  if (after !== undefined && !EVENT_POSITION.test(after.toString())) {
    throw new TypeError(`after is HEIGHT or HEIGHT-ID, not ${after}`);
  }
  if (!['all', 'blocks'].includes(wanted)) {
    throw new TypeError(`events is all or blocks, not ${wanted as string}`);
  }
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
      if (ended.signal.aborted) return done;
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
  /** What `onTrouble` threw while a stream was read. */
  #fault: { readonly error: unknown } | undefined;

  constructor(options: ServerEventsOptions, ends: AbortSignal) {
    this.#options = options;
    this.#url = new URL(PATH, parseServerUrl(options.url).origin);
    this.#ends = ends;
    this.#login = options.login === undefined ? undefined : new DigestLogin(options.login);
    this.#after = options.after?.toString();
  }

  async *events(): AsyncGenerator<ServerEvent, undefined> {
    for (let failures = 1; ; failures++) {
      let first: number | undefined;
      try {
        for await (const event of this.#stream()) {
          // It may have ended while the reader was busy with the event before.
          this.#ends.throwIfAborted();
          first ??= performance.now();
          this.#tellIfMissed(event);
          this.#after = event.position ?? this.#after;
          if (this.#options.events !== 'blocks' || !event.name.startsWith('pool.')) yield event;
        }
        // A node that stops ends its streams.
        throw new Failure('closed', 'the stream has ended');
      } catch (error) {
        this.#ends.throwIfAborted();
        if (error === this.#fault?.error) throw error;
        const reason = toRpcError(error);
        if (!mayPass(reason, true)) throw reason;
        this.#options.onTrouble?.(reason);
      }
      if (first !== undefined && performance.now() - first >= LASTING_MS) failures = 1;
      await pause(retryDelay(PAUSES, failures), this.#ends);
    }
  }

  /** Tells of it when the node does not go on after the block that was named. Throws what the program throws. */
  #tellIfMissed({ name, data, position }: ServerEvent): void {
    const after = this.#after;
    if (name !== 'position' || after === undefined || position === after) return;
    const { reason } = data;
    const why = typeof reason === 'string' ? reason : 'no reason';
    const message = `the stream goes on after ${position ?? 'an unnamed block'}, not after ${after}: ${why}`;
    try {
      this.#options.onTrouble?.(new WatchError('missed', message));
    } catch (error) {
      this.#fault = { error };
      throw error;
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
        // Told as what it is: with `error` it looks like a failure that passes.
        redirect: 'manual',
      });
      const { body, headers } = response;
      const isStream = STREAM.test(headers.get('content-type') ?? '');
      if (response.status === 200 && isStream && body !== null) return body.getReader();
      await body?.cancel();
      if (response.status === 200) throw new RpcAnswerError(`${PATH}: no stream of events`);
      // Browsers do not say where it leads, nor its status.
      if (response.type === 'opaqueredirect') throw new RpcAnswerError(`${PATH}: a redirect`);
      if (response.status !== 401) throw new RpcHttpError(PATH, response.status);
      const challenges = splitChallenges(headers.get('www-authenticate'));
      if (tries === MOST_TRIES || this.#login?.challenged(challenges) !== true) {
        throw new RpcLoginError();
      }
    }
  }
}

/** Returns an error of this package for whatever `fetch` rejects with. */
function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RpcConnectionError(`${PATH}: ${message}`, { code: codeOf(error), cause: error });
}
