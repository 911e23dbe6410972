import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { guardEmitter } from '@monero-node/base';
import { AbandonedCallError } from '../gateway/admission.ts';
import { AnswerMemory } from '../gateway/answer-memory.ts';
import { answerCall } from '../gateway/answer-call.ts';
import type { AppParts } from '../gateway/app-parts.ts';
import { Connection } from '../gateway/connection.ts';
import { noteUse } from '../gateway/dispatch.ts';
import type { Reply } from '../gateway/reply.ts';
import type { PassedCall, ToMain, ToWorker } from './channel.ts';
import { toPassed } from './passed-reply.ts';

type Question = Extract<ToMain, { readonly kind: 'call' | 'more' | 'abandon' }>;

/** The parts of a connection of a worker's client that the main process knows. */
class FarSocket extends EventEmitter {
  readonly remoteAddress: string;
  destroyed = false;

  constructor(address: string) {
    super();
    this.remoteAddress = address;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

interface Running {
  readonly socket: FarSocket;
  readonly memory: AnswerMemory;
  rest: Reply['body']['rest'];
}

export interface PassedCallsOptions {
  readonly ports: (name: PassedCall['port']) => AppParts | undefined;
  readonly send: (message: ToWorker) => void;
  /** Resolves when all workers know what this process knows. */
  readonly settled: () => Promise<void>;
}

/** Answers the calls that one worker passes on, within the budgets of their ports. */
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
    const socket = guardEmitter(new FarSocket(request.address));
    const connection = new Connection(
      socket as unknown as Socket,
      parts.budgets.callers,
      parts.connections.seatOf(socket as unknown as Socket),
    );
    const memory = new AnswerMemory(parts.budgets.unsent, connection.caller, (bytes) => {
      parts.services.logger.warn(
        `abandoned an answer that held ${bytes} bytes while the client did not read it`,
      );
      socket.destroy();
    });
    const running: Running = { socket, memory, rest: undefined };
    this.#running.set(call, running);
    try {
      const reply = await answer(parts, { connection, memory, socket }, request);
      const { rest } = reply.body;
      if (socket.destroyed) {
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
      if (running?.rest === undefined || running.socket.destroyed)
        throw new Error('it was abandoned');
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
    running.socket.destroy();
    // The error is that of an answer that nobody reads.
    running.rest?.return().catch(() => undefined);
  }
}

interface FarOrigin {
  readonly connection: Connection;
  readonly memory: AnswerMemory;
  readonly socket: FarSocket;
}

/** Answers a request as `Exchange` does. The worker has checked the login and what web pages may do. */
async function answer(
  parts: AppParts,
  { connection, memory, socket }: FarOrigin,
  { verb: method, url, headers, body, address, fromForeignPage }: PassedCall,
): Promise<Reply> {
  const page = parts.page?.reply({
    ...{ method, url, headers, address },
    socket: socket as unknown as Socket,
  });
  if (page !== undefined) return page;
  const kept = fromForeignPage ? undefined : parts.steady.get(url, body);
  if (kept?.steady !== undefined) {
    noteUse(kept.steady, parts.services, 0);
    return kept;
  }
  return answerCall(parts, { connection, memory, fromForeignPage }, url, body);
}
