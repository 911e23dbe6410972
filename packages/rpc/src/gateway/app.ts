import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beginForClient } from './connections/client-gate.ts';
import type { AppParts } from './app-parts.ts';
import { ClientConnection, type ClientLimits } from './connections/connection.ts';
import { Exchange, MAX_REQUEST_BYTES } from './exchange.ts';
import { answerRequest } from './answer-call.ts';
import { sitePath } from './events-server.ts';
import { answererOf, answererOfPage, createSite, type Answerer } from './site.ts';
import { ReplySender } from './answers/send.ts';

const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE', 'OPTIONS']);

/**
 * The request listener of one port: refuses what monerod cuts off, takes requests of a connection one after another,
 * reads the body, and has it answered. Paths are matched exactly, query string included, but for that of the stream of events.
 */
function createApp(
  parts: AppParts,
  connections: WeakMap<Socket, ClientConnection>,
  limits: () => ClientLimits,
): RequestListener {
  const sender = new ReplySender();
  const take = (request: IncomingMessage, response: ServerResponse, answerer: Answerer): void => {
    const { socket } = request;
    const size = headerBytes(request);
    if (isRefused(request, size)) {
      socket.destroy();
      return;
    }
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new ClientConnection(
        socket,
        parts.budgets.callers,
        parts.connections.seatOf(socket),
        limits,
      );
      connections.set(socket, connection);
    }
    const caller = connection;
    caller.inOrder(size, () => {
      const begin = (): void =>
        new Exchange(parts, caller, { request, response, answerer, sender }).begin();
      const { proxied } = parts;
      if (proxied === undefined) begin();
      else beginForClient(proxied, caller, { request, response }, begin);
    });
  };
  const methods: Answerer = { needsLogin: true, answer: (call) => answerRequest(parts, call) };
  const site = createSite(parts);
  const exact: RequestListener = (request, response) =>
    take(request, response, answererOf(request, site, methods));
  const { page } = parts;
  if (page?.route === undefined) return exact;
  const from =
    (answerer: Answerer): RequestListener =>
    (request, response) =>
      take(request, response, answerer);
  const paths = new Set(page.paths);
  const routed = page.route(page.paths, from(answererOfPage(page)), from(methods));
  // A router may cost several times as much as answering a call, and answer a target that it cannot read by itself, past all limits.
  return (request, response) =>
    (paths.has(sitePath(request.url ?? '')) ? routed : exact)(request, response);
}

/** The app of a port whose rules may change. A request ends under the rules under which it began. */
export class CurrentApp {
  /** Requests of one connection come one after another under changing rules too. */
  readonly #connections = new WeakMap<Socket, ClientConnection>();
  #limits: ClientLimits;
  #current: RequestListener;
  readonly listener: RequestListener = (request, response) => this.#current(request, response);

  constructor(parts: AppParts) {
    this.#limits = parts.clientLimits;
    this.#current = this.#create(parts);
  }

  /** Requests that begin from now on follow other rules. */
  replace(parts: AppParts): void {
    this.#limits = parts.clientLimits;
    this.#current = this.#create(parts);
  }

  #create(parts: AppParts): RequestListener {
    return createApp(parts, this.#connections, () => this.#limits);
  }
}

/** Returns whether the verb is unknown or the announced size too large. */
function isRefused(request: IncomingMessage, headerSize: number): boolean {
  const announced = Number(request.headers['content-length'] ?? 0);
  return !METHODS.has(request.method ?? '') || headerSize + announced > MAX_REQUEST_BYTES;
}

/** Size of the request line and headers as sent, but for white space. */
function headerBytes(request: IncomingMessage): number {
  let size = (request.method ?? '').length + (request.url ?? '').length + 14;
  for (const text of request.rawHeaders) size += text.length + 2;
  return size;
}
