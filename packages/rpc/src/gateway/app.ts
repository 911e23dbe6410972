import type { FairScheduler } from '@monero-node/base';
import type { Login } from '@monero-node/rpc-schema/login';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import { forward } from './forward.ts';
import type { RpcServices } from '../context.ts';
import type { Admission } from './admission.ts';
import { callContext } from './call-context.ts';
import { Connection } from './connection.ts';
import { corsHeaders } from './cors.ts';
import { dispatch, noteUse } from './dispatch.ts';
import { readBody } from './read-body.ts';
import { OPTIONS_REPLY, SERVER_ERROR, unauthorized, type Reply } from './reply.ts';
import { isServed, type Routes } from './routes.ts';
import { sendReply } from './send.ts';
import type { ResponseCache } from './response-cache.ts';
import type { SendBudget } from './send-budget.ts';

/** Largest request, bytes, headers included. The connection of a larger one is closed without an answer. */
const MAX_REQUEST_BYTES = 1_048_576;
const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE', 'OPTIONS']);

/** The reply to a client that left before its turn. */
const NOBODY_WAITS: Reply = SERVER_ERROR;

/** The parts that one listener's app is built from. */
export interface AppParts {
  readonly services: RpcServices;
  readonly routes: Routes;
  readonly restricted: boolean;
  readonly corsOrigins: readonly string[];
  /** The login that clients must present; undefined lets everybody in. */
  readonly login: Login | undefined;
  readonly admission: Admission;
  readonly unsent: SendBudget;
  readonly steady: ResponseCache;
  /** Bytes of an answer still being sent on a connection that may ask again. */
  readonly softLimit: number;
  readonly scheduler: FairScheduler;
  readonly connectionCount: () => number;
  /** Notes a failed block request of an address. */
  readonly hostFailed: (address: string) => void;
}

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
    if (isRefused(request)) {
      socket.destroy();
      return;
    }
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket);
      connections.set(socket, connection);
    }
    const caller = connection;
    caller.inOrder(parts.softLimit, () => void serve(parts, caller, request, response));
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
function isRefused(request: IncomingMessage): boolean {
  const announced = Number(request.headers['content-length'] ?? 0);
  return !METHODS.has(request.method ?? '') || headerBytes(request) + announced > MAX_REQUEST_BYTES;
}

/** Size of the request line and headers as sent, but for white space. */
function headerBytes(request: IncomingMessage): number {
  const line = (request.method ?? '').length + (request.url ?? '').length + 12;
  return request.rawHeaders.reduce((sum, text) => sum + text.length + 2, line + 2);
}

/** Answers one request. A body that can't be read (too large, broken off) ends the connection. Never rejects. */
async function serve(
  parts: AppParts,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { socket } = request;
  try {
    const body = await readBody(request, MAX_REQUEST_BYTES);
    if (body === undefined) throw new Error('its body is too large or broken off');
    const isOptions = request.method === 'OPTIONS';
    const challenge = isOptions ? undefined : challengeOf(parts, connection, request);
    const reply = challenge
      ? unauthorized(challenge)
      : await replyTo(parts, connection, request, body);
    const { length } = reply.body;
    const cors = corsHeaders(request.headers.origin, parts.corsOrigins, isOptions);
    const sent = parts.unsent.add(length, () => {
      parts.services.logger.warn(
        `abandoned an answer of ${length} bytes that the client did not read`,
      );
      socket.destroy();
    });
    connection.unsent = length;
    await sendReply(response, reply, cors).finally(sent);
  } catch (error) {
    parts.services.logger.debug(`request cut off: ${String(error)}`);
    socket.destroy();
  }
  connection.unsent = 0;
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

async function replyTo(
  parts: AppParts,
  connection: Connection,
  request: IncomingMessage,
  body: Uint8Array,
): Promise<Reply> {
  if (request.method === 'OPTIONS') return OPTIONS_REPLY;
  const { url = '' } = request;
  const { steady } = parts;
  const kept = steady.get(url, body);
  if (kept?.steady !== undefined) {
    noteUse(kept.steady, parts.services, 0);
    return kept;
  }
  const context = callContext(parts.services, {
    restricted: parts.restricted,
    untrusted: false,
    rpcConnections: parts.connectionCount(),
    yielder: parts.scheduler.begin(),
    hostFailed: () => {
      parts.hostFailed(connection.address);
    },
  });
  // Before admission: a call that waits for another daemon must not hold up calls to this one.
  const passed = await forward(url, body, parts.routes, context);
  if (passed.reply !== undefined) return passed.reply;
  return parts.admission.run(async () => {
    if (request.socket.destroyed) return NOBODY_WAITS;
    context.yielder = parts.scheduler.begin();
    context.untrusted = passed.failed;
    const keep = steady.begin(url, body);
    const reply = await dispatch(url, body, parts.routes, context);
    keep(reply);
    return reply;
  });
}
