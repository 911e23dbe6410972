import { AbandonedCallError } from '../gateway/limits/admission.ts';
import { answerRequest } from '../gateway/answer-call.ts';
import { answerMemoryFor, type AnswerMemory } from '../gateway/limits/answer-memory.ts';
import type { AppParts } from '../gateway/app-parts.ts';
import type { Callers } from '../gateway/limits/callers.ts';
import type { Origin } from '../gateway/call-request.ts';
import type { Reply } from '../gateway/answers/reply.ts';
import type { Caller } from '../scheduling/time-shares.ts';
import { toPassed, type PassedCall, type ToMain, type ToWorker } from './channel.ts';

type Question = Extract<ToMain, { readonly kind: 'call' | 'more' | 'abandon' }>;

/** A worker's client, as the main process knows it. */
class PassedOrigin implements Origin {
  readonly address: string;
  readonly caller: Caller;
  readonly #listeners = new Set<() => void>();
  #isGone = false;

  constructor(address: string, callers: Callers) {
    this.address = address;
    this.caller = callers.of(address);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  onGone(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  cutOff(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }
}

interface Running {
  readonly origin: Origin;
  readonly memory: AnswerMemory;
  rest: Reply['body']['rest'];
}

export interface PassedCallsOptions {
  readonly ports: (name: PassedCall['port']) => AppParts | undefined;
  readonly send: (message: ToWorker) => void;
  /** Resolves when all workers know what this process knows. */
  readonly settled: () => Promise<void>;
}

/**
 * Answers the calls that one worker passes on, within the budgets of their ports. The worker has checked the login and what web
 * pages may do.
 */
export class PassedCalls {
  readonly #ports: PassedCallsOptions['ports'];
  readonly #send: PassedCallsOptions['send'];
  readonly #settled: PassedCallsOptions['settled'];
  readonly #running = new Map<number, Running>();

  constructor({ ports, send, settled }: PassedCallsOptions) {
    this.#ports = ports;
    this.#send = send;
    this.#settled = settled;
  }

  take(question: Question): void {
    const { call } = question;
    if (question.kind === 'call') void this.#begin(call, question.request);
    else if (question.kind === 'more') void this.#more(call);
    else this.#end(call);
  }

  /** The worker is gone. */
  end(): void {
    for (const call of [...this.#running.keys()]) this.#end(call);
  }

  async #begin(call: number, request: PassedCall): Promise<void> {
    const parts = this.#ports(request.port);
    if (parts === undefined) {
      this.#send({ kind: 'reply', call, reply: undefined });
      return;
    }
    const origin = new PassedOrigin(request.address, parts.budgets.callers);
    const memory = answerMemoryFor(parts, origin);
    const running: Running = { origin, memory, rest: undefined };
    this.#running.set(call, running);
    try {
      const asked = { request, origin, memory };
      const page = request.isForPage ? parts.page : undefined;
      const reply = await (page?.reply(asked) ?? answerRequest(parts, asked));
      const { rest } = reply.body;
      if (origin.isGone) {
        await rest?.return();
        throw new AbandonedCallError();
      }
      running.rest = rest;
      // Before any client learns of a change.
      await this.#settled();
      this.#send({ kind: 'reply', call, reply: toPassed(reply) });
      if (rest === undefined) this.#end(call);
    } catch (error) {
      parts.services.logger.debug(`request cut off: ${String(error)}`);
      this.#end(call);
      this.#send({ kind: 'reply', call, reply: undefined });
    }
  }

  async #more(call: number): Promise<void> {
    const running = this.#running.get(call);
    try {
      if (running?.rest === undefined || running.origin.isGone) throw new Error('it was abandoned');
      let next = await running.rest.next();
      // An empty part means the end.
      while (next.done !== true && next.value.length === 0) next = await running.rest.next();
      const chunks = next.done === true ? [] : next.value;
      running.memory.setUnsent(chunks.reduce((sum, { length }) => sum + length, 0));
      this.#send({ kind: 'part', call, chunks });
      if (next.done === true) this.#end(call);
    } catch {
      this.#end(call);
      this.#send({ kind: 'part', call, chunks: undefined });
    }
  }

  #end(call: number): void {
    const running = this.#running.get(call);
    if (running === undefined) return;
    this.#running.delete(call);
    running.memory.end();
    running.origin.cutOff();
    // The error is that of an answer that nobody reads.
    running.rest?.return().catch(() => undefined);
  }
}
