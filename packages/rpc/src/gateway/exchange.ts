import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OnCall } from '../finished-call.ts';
import type { AppParts } from './app-parts.ts';
import { answerMemoryFor, type AnswerMemory } from './limits/answer-memory.ts';
import { DigestSession, type Challenge } from '../login/digest-session.ts';
import { corsHeaders, foreignHost, isForeignPage } from './answers/browser-guard.ts';
import { CallRecord } from './call-record.ts';
import type { ClientConnection } from './connections/connection.ts';
import { readBody } from './read-body.ts';
import type { Answerer } from './site.ts';
import { OPTIONS_REPLY, unauthorized, type Reply } from './answers/reply.ts';
import type { ReplySender } from './answers/send.ts';

/** Largest request, bytes, headers included. The connection of a larger one is closed without an answer. */
export const MAX_REQUEST_BYTES = 1_048_576;

/** A request, who answers it and what sends the answer. */
interface ExchangeParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answerer: Answerer;
  readonly sender: ReplySender;
}

/**
 * One request and its answer, from the turn of the request on its connection to the end of the answer. A body that can't be
 * read (too large, broken off) ends the connection, as does an answer that can't be made to its end.
 *
 * Most calls take less time than the promises of a few asynchronous functions, so the steps are plain calls where nothing
 * has to be waited for.
 */
export class Exchange {
  readonly #parts: AppParts;
  readonly #connection: ClientConnection;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #answerer: Answerer;
  readonly #sender: ReplySender;
  readonly #memory: AnswerMemory;
  readonly #onCall: OnCall | undefined;
  readonly #record: CallRecord | undefined;
  /** Ends the count of the bytes of the request. */
  #release: (() => void) | undefined;

  constructor(
    parts: AppParts,
    connection: ClientConnection,
    { request, response, answerer, sender }: ExchangeParts,
  ) {
    this.#parts = parts;
    this.#connection = connection;
    this.#request = request;
    this.#response = response;
    this.#answerer = answerer;
    this.#sender = sender;
    this.#memory = answerMemoryFor(parts, connection);
    this.#onCall = parts.onCall();
    this.#record = this.#onCall && new CallRecord(request.socket);
  }

  /** Reads the request and answers it. The connection's `done` is called at the end. */
  begin(): void {
    const { budgets, services } = this.#parts;
    const { socket } = this.#request;
    const ahead = sizeAhead(this.#request);
    this.#release = budgets.received.add(this.#connection.caller, ahead, () => {
      services.logger.debug('abandoned a request: too many bytes are being received');
      socket.destroy();
    });
    readBody(this.#request, MAX_REQUEST_BYTES, (body) => {
      this.#received(body);
    });
  }

  #received(body: Uint8Array | undefined): void {
    try {
      if (body === undefined) throw new Error('its body is too large or broken off');
      this.#connection.received();
      this.#record?.received();
      const reply = this.#reply(body);
      if (reply instanceof Promise) void this.#sendLater(reply);
      else this.#send(reply);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #sendLater(coming: Promise<Reply>): Promise<void> {
    try {
      this.#send(await coming);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns the answer, or a promise of it that rejects when the client leaves. */
  #reply(body: Uint8Array): Reply | Promise<Reply> {
    const { login, browsers } = this.#parts;
    const { method = '', headers } = this.#request;
    // Before every answer: a page that has pointed its name at this machine must learn nothing.
    const refusal = foreignHost(headers, browsers);
    if (refusal !== undefined) return refusal;
    if (method === 'OPTIONS') return OPTIONS_REPLY;
    if (login === undefined || !this.#answerer.needsLogin) return this.#answer(body);
    const session = this.#connection.session(() => new DigestSession(login));
    const challenge = session.challenge(method, headers.authorization);
    if (challenge instanceof Promise) return challenge.then((known) => this.#letIn(known, body));
    return this.#letIn(challenge, body);
  }

  #letIn(challenge: Challenge, body: Uint8Array): Reply | Promise<Reply> {
    return challenge === undefined ? this.#answer(body) : unauthorized(challenge);
  }

  #answer(body: Uint8Array): Reply | Promise<Reply> {
    const parts = this.#parts;
    const { method = '', url = '', headers } = this.#request;
    const origin = this.#connection;
    // A restricted port does not serve what is hidden from pages.
    const fromForeignPage = !parts.restricted && isForeignPage(headers, parts.browsers);
    const request = { verb: method, url, headers, body, fromForeignPage };
    return this.#answerer.answer({ request, origin, memory: this.#memory });
  }

  /** Sends a reply and counts what waits for the client. */
  #send(reply: Reply): void {
    this.#endRequest();
    this.#record?.answered(reply);
    const { length, rest } = reply.body;
    const isWhole = rest === undefined;
    // The handler of a whole answer keeps nothing; the body stays in memory until all of it is sent.
    if (isWhole) this.#memory.keep(0);
    this.#memory.setUnsent(length);
    this.#connection.sending();
    this.#connection.setUnsent(length);
    const { origin: page } = this.#request.headers;
    const isOptions = this.#request.method === 'OPTIONS';
    const cors = corsHeaders(page, this.#parts.browsers.corsOrigins, isOptions);
    const response = this.#response;
    if (response.destroyed) this.#end();
    else if (this.#sender.sendShort(response, reply, cors))
      response.once('close', () => this.#end());
    else {
      const sent = this.#sender.send(response, reply, cors, (unsent) => {
        this.#connection.setUnsent(unsent);
        if (!isWhole) this.#memory.setUnsent(unsent);
      });
      sent.then(
        () => this.#end(),
        (error: unknown) => this.#fail(error),
      );
    }
  }

  #endRequest(): void {
    this.#release?.();
    this.#release = undefined;
  }

  #fail(error: unknown): void {
    this.#endRequest();
    this.#parts.services.logger.debug(`request cut off: ${String(error)}`);
    this.#request.socket.destroy();
    this.#end();
  }

  #end(): void {
    const { routes } = this.#parts;
    this.#memory.end();
    this.#connection.done();
    if (this.#record === undefined) return;
    const { address } = this.#connection;
    const outcome = { address, isSent: this.#response.writableFinished };
    this.#onCall?.(this.#record.finish(this.#request.url ?? '', routes, outcome));
  }
}

/** Size of the body in bytes; for one of unknown length the most it may have. */
function sizeAhead({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_REQUEST_BYTES;
  return Number(headers['content-length'] ?? 0);
}
