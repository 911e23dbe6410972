import type { PoolChanges } from '@monero-node/mempool';
import { AbandonedCallError } from '../gateway/admission.ts';
import { AskMainError } from '../errors.ts';
import type { Reply } from '../gateway/reply.ts';
import type { PassedCall, ToMain, ToWorker } from './channel.ts';
import { fromPassed } from './passed-reply.ts';

type Answer = Extract<ToWorker, { readonly call: number }>;

/** A worker's questions to the main process. The process ends with the channel, so that every question is answered. */
export class MainLine {
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

  /** Resolves with the answer to a call. Rejects with AbandonedCallError when the main process cut it off. */
  async pass(request: PassedCall): Promise<Reply> {
    const call = ++this.#calls;
    const answer = await this.#ask(call, { kind: 'call', call, request });
    if (answer.kind !== 'reply' || answer.reply === undefined) throw new AbandonedCallError();
    return fromPassed(answer.reply, () => this.#rest(call));
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

  async *#rest(call: number): AsyncGenerator<readonly Uint8Array[], void> {
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
