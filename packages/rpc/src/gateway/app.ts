import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import type { AppParts } from './app-parts.ts';
import { answerCall, type CallOrigin } from './answer-call.ts';
import { AnswerMemory } from './answer-memory.ts';
import { foreignHost, isForeignPage } from './browser-guard.ts';
import { CallRecord } from './call-record.ts';
import { Connection } from './connection.ts';
import { corsHeaders } from './cors.ts';
import { noteUse } from './dispatch.ts';
import { healthReply, isHealthPath } from './health.ts';
import { readBody } from './read-body.ts';
import { OPTIONS_REPLY, unauthorized, type Reply } from './reply.ts';
import { isServed } from './routes.ts';
import { sendReply } from './send.ts';

/** Largest request, bytes, headers included. The connection of a larger one is closed without an answer. */
const MAX_REQUEST_BYTES = 1_048_576;
const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE', 'OPTIONS']);

/**
 * The request listener of one port: refuses what monerod cuts off, takes requests of a connection one after another,
 * reads the body, and hands over to `dispatch`. Paths are matched exactly, query string included.
 *
 * Calls of served methods bypass Express, which costs several times as much as answering them (it changes the
 * prototype of every request). Express handles all other requests.
 */
export function createApp(parts: AppParts): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const size = headerBytes(request);
    if (isRefused(request, size)) {
      socket.destroy();
      return;
    }
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket, parts.budgets.callers, parts.connections.seatOf(socket));
      connections.set(socket, connection);
    }
    const caller = connection;
    caller.inOrder(parts.softLimit, size, () => void serve(parts, caller, request, response));
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(take);
  return (request, response) => {
    const { url = '' } = request;
    if (isServed(url, parts.routes) || isHealthPath(url)) take(request, response);
    else app(request, response);
  };
}

/** Returns whether the verb is unknown or the announced size too large. */
function isRefused(request: IncomingMessage, headerSize: number): boolean {
  const announced = Number(request.headers['content-length'] ?? 0);
  return !METHODS.has(request.method ?? '') || headerSize + announced > MAX_REQUEST_BYTES;
}

/** Size of the request line and headers as sent, but for white space. */
function headerBytes(request: IncomingMessage): number {
  const line = (request.method ?? '').length + (request.url ?? '').length + 12;
  return request.rawHeaders.reduce((sum, text) => sum + text.length + 2, line + 2);
}

/** Size of the body in bytes; for one of unknown length the most it may have. */
function sizeAhead({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_REQUEST_BYTES;
  return Number(headers['content-length'] ?? 0);
}

/** Answers one request. A body that can't be read (too large, broken off) ends the connection. Never rejects. */
async function serve(
  parts: AppParts,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { socket } = request;
  const { logger } = parts.services;
  const memory = new AnswerMemory(parts.budgets.unsent, connection.caller, (bytes) => {
    logger.warn(`abandoned an answer that held ${bytes} bytes while the client did not read it`);
    socket.destroy();
  });
  const record = parts.onCall && new CallRecord(socket);
  try {
    const reply = await receive(parts, { connection, memory, record }, request);
    record?.answered(reply);
    const isOptions = request.method === 'OPTIONS';
    const cors = corsHeaders(request.headers.origin, parts.browsers.corsOrigins, isOptions);
    await send({ connection, memory, record }, response, reply, cors);
  } catch (error) {
    logger.debug(`request cut off: ${String(error)}`);
    socket.destroy();
  }
  memory.end();
  connection.done();
  if (record === undefined) return;
  const outcome = { address: connection.address, isSent: response.writableFinished };
  parts.onCall?.(record.finish(request.url ?? '', parts.routes, outcome));
}

interface Answering extends Pick<CallOrigin, 'connection' | 'memory'> {
  readonly record: CallRecord | undefined;
}

/** Reads a request and returns its answer. Rejects when the body can't be read, and when the client leaves. */
async function receive(
  parts: AppParts,
  answering: Answering,
  request: IncomingMessage,
): Promise<Reply> {
  const { connection } = answering;
  const release = parts.budgets.received.add(connection.caller, sizeAhead(request), () => {
    parts.services.logger.debug('abandoned a request: too many bytes are being received');
    request.socket.destroy();
  });
  try {
    const body = await readBody(request, MAX_REQUEST_BYTES);
    if (body === undefined) throw new Error('its body is too large or broken off');
    connection.received();
    answering.record?.received();
    if (request.method === 'OPTIONS') return OPTIONS_REPLY;
    const health = healthReply(request.method ?? '', request.url ?? '', parts.services);
    if (health !== undefined) return health;
    const challenge = challengeOf(parts, connection, request);
    if (challenge !== undefined) return unauthorized(challenge);
    return await replyTo(parts, answering, request, body);
  } finally {
    release();
  }
}

/** Sends a reply and counts what waits for the client. Settles as `sendReply` does. */
function send(
  { connection, memory }: Answering,
  response: ServerResponse,
  reply: Reply,
  cors: readonly string[],
): Promise<void> {
  const { length, rest } = reply.body;
  const isWhole = rest === undefined;
  // The handler of a whole answer keeps nothing; the body stays in memory until all of it is sent.
  if (isWhole) memory.keep(0);
  memory.setUnsent(length);
  connection.sending();
  connection.setUnsent(length);
  return sendReply(response, reply, cors, (unsent) => {
    connection.setUnsent(unsent);
    if (!isWhole) memory.setUnsent(unsent);
  });
}

/** Returns the headers of a challenge; undefined when the request is let in. */
function challengeOf(
  { login }: AppParts,
  connection: Connection,
  { method = '', headers }: IncomingMessage,
): readonly string[] | undefined {
  return login && connection.session(login).challenge(method, headers.authorization);
}

function replyTo(
  parts: AppParts,
  answering: Answering,
  request: IncomingMessage,
  body: Uint8Array,
): Reply | Promise<Reply> {
  const { method = '', url = '', headers, socket } = request;
  const refusal = foreignHost(headers, parts.browsers);
  if (refusal !== undefined) return refusal;
  const { address } = answering.connection;
  const page = parts.page?.reply({ method, url, headers, socket, address });
  if (page !== undefined) return page;
  // A restricted port does not serve what is hidden from pages.
  const fromForeignPage = !parts.restricted && isForeignPage(headers, parts.browsers);
  const kept = fromForeignPage ? undefined : parts.steady.get(url, body);
  if (kept?.steady === undefined) {
    const { connection, memory } = answering;
    return answerCall(parts, { connection, memory, fromForeignPage }, url, body);
  }
  noteUse(kept.steady, parts.services, 0);
  return kept;
}
