import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import type { AppParts } from './app-parts.ts';
import { answerCall } from './answer-call.ts';
import { foreignHost, hiddenFromPages, isForeignPage } from './browser-guard.ts';
import { Connection } from './connection.ts';
import { corsHeaders } from './cors.ts';
import { noteUse } from './dispatch.ts';
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
    if (isServed(request.url ?? '', parts.routes)) take(request, response);
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
  const { received, unsent } = parts.budgets;
  const release = received.add(connection.caller, sizeAhead(request), () => {
    parts.services.logger.debug('abandoned a request: too many bytes are being received');
    socket.destroy();
  });
  try {
    const body = await readBody(request, MAX_REQUEST_BYTES);
    if (body === undefined) throw new Error('its body is too large or broken off');
    connection.received();
    const isOptions = request.method === 'OPTIONS';
    const challenge = isOptions ? undefined : challengeOf(parts, connection, request);
    const reply = challenge
      ? unauthorized(challenge)
      : await replyTo(parts, connection, request, body);
    const { length } = reply.body;
    const cors = corsHeaders(request.headers.origin, parts.browsers.corsOrigins, isOptions);
    release();
    const sent = unsent.add(connection.caller, length, () => {
      parts.services.logger.warn(
        `abandoned an answer of ${length} bytes that the client did not read`,
      );
      socket.destroy();
    });
    connection.sending(length);
    await sendReply(response, reply, cors).finally(sent);
  } catch (error) {
    parts.services.logger.debug(`request cut off: ${String(error)}`);
    release();
    socket.destroy();
  }
  connection.done();
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
  connection: Connection,
  request: IncomingMessage,
  body: Uint8Array,
): Reply | Promise<Reply> {
  if (request.method === 'OPTIONS') return OPTIONS_REPLY;
  const { url = '', headers } = request;
  const refusal =
    foreignHost(headers, parts.browsers) ??
    (isForeignPage(headers, parts.browsers) ? hiddenFromPages(url, body, parts.routes) : undefined);
  if (refusal !== undefined) return refusal;
  const kept = parts.steady.get(url, body);
  if (kept?.steady === undefined) return answerCall(parts, connection, url, body);
  noteUse(kept.steady, parts.services, 0);
  return kept;
}
