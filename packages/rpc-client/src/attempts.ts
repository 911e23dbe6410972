import { checkCall, pause, runCall, type CallOptions } from './call-options.ts';
import { RpcConnectionError } from './errors.ts';
import type { CallAttempt, CallHooks } from './hooks.ts';
import { mayAnswerElsewhere, mayPass, retryDelay, type RetryRule } from './retry.ts';
import type { RpcTransport } from './transport.ts';

/** A call as it is sent, and how its answer is read. */
export interface OutgoingCall<T> {
  /** The JSON-RPC method or the path, for errors and hooks. */
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Whether it may be sent twice. */
  readonly isRepeatable: boolean;
  /** Returns what the answer says. Throws what the call rejects with if it is an error. */
  read(answer: Uint8Array): T;
}

/** What ends the tries of a call: the signal of all of them, and the moment at which their time is over. */
interface Ends {
  readonly signal: AbortSignal;
  /** Milliseconds of `performance.now()`; undefined when only the transports have a time-out. */
  readonly at: number | undefined;
}

/** A try, and how many nodes of its round come after it. */
interface Try extends CallAttempt {
  readonly transport: RpcTransport;
  readonly nodesLeft: number;
}

/** Sends calls to the first of some nodes that answers, and tries again where that is wanted and safe. */
export class Attempts {
  readonly #transports: readonly RpcTransport[];
  readonly #retry: RetryRule;
  readonly #hooks: CallHooks;
  /** The calls under way, with those in a pause. */
  readonly #running = new Set<AbortController>();
  #calls = 0;
  /** The node that answered last: calls go there first. */
  #first = 0;

  /** @param transports one or more, in the order in which they are asked */
  constructor(transports: readonly RpcTransport[], retry: RetryRule, hooks: CallHooks) {
    this.#transports = transports;
    this.#retry = retry;
    this.#hooks = hooks;
  }

  /** Ends all calls, those in a pause too, and closes the transports. */
  close(): void {
    for (const transport of this.#transports) transport.close();
    const closed = new RpcConnectionError('the client was closed', { code: 'closed' });
    for (const call of this.#running) call.abort(closed);
  }

  /**
   * Makes a call. A time-out of `options` is that of all tries together: while there are nodes left to ask, each gets its part of what
   * remains, so that a silent one does not use up all of it.
   */
  async call<T>(outgoing: OutgoingCall<T>, options: CallOptions): Promise<T> {
    checkCall(options);
    const call = ++this.#calls;
    const at = options.timeout === undefined ? undefined : performance.now() + options.timeout;
    return runCall(
      options,
      () => timedOut(outgoing),
      (signal) => this.#rounds(call, outgoing, { signal, at }),
      this.#running,
    );
  }

  async #rounds<T>(call: number, outgoing: OutgoingCall<T>, ends: Ends): Promise<T> {
    const nodes = this.#transports.length;
    let first = this.#first;
    for (let attempt = 1; ; attempt++) {
      const turn = (attempt - 1) % nodes;
      // Another call may change the first node meanwhile: a round goes on with its own, so that it asks each node once.
      if (turn === 0) first = this.#first;
      const index = (first + turn) % nodes;
      const transport = this.#transports[index] as RpcTransport;
      const node = transport.name ?? `node ${index + 1}`;
      const nodesLeft = nodes - 1 - turn;
      const each: Try = { call, name: outgoing.name, node, attempt, transport, nodesLeft };
      const start = performance.now();
      try {
        const answer = await this.#once(each, outgoing, ends);
        this.#first = index;
        return answer;
      } catch (error) {
        const next = this.#next(error, outgoing.isRepeatable, each, ends);
        const milliseconds = performance.now() - start;
        this.#hooks.onError?.({ ...attemptOf(each), milliseconds, error, next });
        if (next === 'rejects') throw error;
        if (next === 'retry') await pause(retryDelay(this.#retry, attempt / nodes), ends.signal);
      }
    }
  }

  /** Sends a call to one node and reads its answer. */
  async #once<T>(each: Try, outgoing: OutgoingCall<T>, ends: Ends): Promise<T> {
    const { path, contentType, body } = outgoing;
    const start = performance.now();
    const timeout =
      ends.at === undefined ? undefined : Math.max(1, (ends.at - start) / (each.nodesLeft + 1));
    this.#hooks.onRequest?.({ ...attemptOf(each), bytes: body.length });
    // Ends the wait by itself: a transport of somebody else may not know signals.
    const bytes = await runCall(
      { signal: ends.signal, timeout },
      () => timedOut(outgoing),
      (signal) => each.transport.post(path, contentType, body, { signal, timeout }),
    );
    const answer = outgoing.read(bytes);
    const milliseconds = performance.now() - start;
    this.#hooks.onResponse?.({ ...attemptOf(each), milliseconds, bytes: bytes.length });
    return answer;
  }

  /** Returns what follows a try that failed. */
  #next(
    error: unknown,
    isRepeatable: boolean,
    { attempt, nodesLeft }: Try,
    { signal }: Ends,
  ): 'other-node' | 'retry' | 'rejects' {
    if (signal.aborted) return 'rejects';
    if (nodesLeft > 0) return mayAnswerElsewhere(error, isRepeatable) ? 'other-node' : 'rejects';
    const isLast = attempt >= this.#retry.attempts * this.#transports.length;
    return !isLast && mayPass(error, isRepeatable) ? 'retry' : 'rejects';
  }
}

function attemptOf({ call, name, node, attempt }: Try): CallAttempt {
  return { call, name, node, attempt };
}

function timedOut({ path }: OutgoingCall<unknown>): RpcConnectionError {
  return new RpcConnectionError(`${path}: no answer in time`, { code: 'timeout' });
}
