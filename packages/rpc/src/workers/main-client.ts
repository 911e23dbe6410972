import type { PoolChanges } from '@monero-node/mempool';
import type { FinishedCall } from '../finished-call.ts';
import { AbandonedCallError } from '../gateway/limits/admission.ts';
import { AskMainError } from '../errors.ts';
import type { Origin } from '../gateway/call-request.ts';
import type { Reply } from '../gateway/answers/reply.ts';
import type { ClientVerdict } from '../gateway/connections/client-gate.ts';
import type { MethodUses } from '../method-uses.ts';
import { fromPassed, type PassedCall, type ToMain, type ToWorker } from './channel.ts';

/** Calls are reported together, after this many milliseconds. */
const DELAY_MS = 50;
/** Sooner when there are this many. */
const MOST = 500;

type Answer = Extract<ToWorker, { readonly call: number }>;

/** A worker's questions to the main process. The process ends with the channel, so that every question is answered. */
export class MainClient {
  readonly #send: (message: ToMain) => void;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #calls = 0;

  constructor(send: (message: ToMain) => void) {
    this.#send = send;
  }

  /** Takes an answer of the main process. */
  answered(answer: Answer): void {
    const take = this.#waiting.get(answer.call);
    this.#waiting.delete(answer.call);
    take?.(answer);
  }

  /**
   * Resolves with the answer to a call. Rejects with AbandonedCallError when the main process cut it off. When the client leaves
   * before it has all of its answer, the main process is told to give the call up.
   */
  async pass(request: PassedCall, origin: Origin): Promise<Reply> {
    if (origin.isGone) throw new AbandonedCallError();
    const call = ++this.#calls;
    const leave = (): void => {
      this.#send({ kind: 'abandon', call });
      this.answered({ kind: 'reply', call, reply: undefined });
    };
    const unwatch = origin.onGone(leave);
    const answer = await this.#ask(call, { kind: 'call', call, request });
    const reply = answer.kind === 'reply' ? answer.reply : undefined;
    if (reply?.hasRest !== true) unwatch();
    if (reply === undefined) throw new AbandonedCallError();
    return fromPassed(reply, () => this.#rest(call, unwatch));
  }

  /** Resolves with the changes of the pool; see `RpcPool`. Rejects with AskMainError when they are too many to be sent. */
  async poolChanges(since: number, includePrivate: boolean): Promise<PoolChanges> {
    const call = ++this.#calls;
    const answer = await this.#ask(call, { kind: 'pool', call, since, includePrivate });
    if (answer.kind !== 'pool' || answer.changes === undefined) throw new AskMainError();
    return answer.changes;
  }

  /** Resolves with whether a login with a nonce of another connection is let in; see `NonceUses`. */
  async spendNonce(nonce: string, count: number): Promise<boolean> {
    const call = ++this.#calls;
    const answer = await this.#ask(call, { kind: 'spend-nonce', call, nonce, count });
    return answer.kind === 'nonce' && answer.isLetIn;
  }

  /** Resolves with whether the client of a proxy's connection is let in; see `ClientGate`. */
  async clientVerdict(id: number, address: string): Promise<ClientVerdict> {
    const call = ++this.#calls;
    const answer = await this.#ask(call, { kind: 'client', call, id, address });
    return answer.kind === 'verdict' ? answer.verdict : 'full';
  }

  async *#rest(call: number, settle: () => void): AsyncGenerator<readonly Uint8Array[], void> {
    let hasEnded = false;
    try {
      for (;;) {
        const answer = await this.#ask(call, { kind: 'more', call });
        const chunks = answer.kind === 'part' ? answer.chunks : undefined;
        hasEnded = chunks === undefined || chunks.length === 0;
        if (chunks === undefined) throw new AbandonedCallError();
        if (hasEnded) return;
        yield chunks;
      }
    } finally {
      settle();
      if (!hasEnded) this.#send({ kind: 'abandon', call });
    }
  }

  #ask(call: number, message: ToMain): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve);
      this.#send(message);
    });
  }
}

/** A worker's reports of its calls to the main process. */
export class CallReports {
  readonly #usage: Pick<MethodUses, 'list' | 'clear'>;
  readonly #send: (message: ToMain) => void;
  #calls: FinishedCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param usage of the worker's methods; emptied by each report */
  constructor(usage: Pick<MethodUses, 'list' | 'clear'>, send: (message: ToMain) => void) {
    this.#usage = usage;
    this.#send = send;
  }

  add(call: FinishedCall): void {
    this.#calls.push(call);
    if (this.#calls.length >= MOST) this.flush();
    else this.soon();
  }

  /** Has the calls and the use of methods reported before long. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.flush(), DELAY_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const calls = this.#calls;
    const uses = this.#usage.list();
    this.#calls = [];
    this.#usage.clear();
    if (calls.length > 0 || uses.length > 0) this.#send({ kind: 'calls', calls, uses });
  }
}
