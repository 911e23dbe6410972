import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { passOn } from '../bootstrap/pass-on.ts';
import type { RpcContext, RpcServices } from '../context.ts';
import type { Turns } from '../turns.ts';
import { plainAddress } from './addresses.ts';
import type { Admission } from './admission.ts';
import { corsHeaders } from './cors.ts';
import { dispatch } from './dispatch.ts';
import { inOrder } from './in-order.ts';
import { DigestSession } from '../login/digest-session.ts';
import type { Login } from '../login/digest.ts';
import { OPTIONS_REPLY, SERVER_ERROR, unauthorized, type Reply } from './reply.ts';
import type { Routes } from './routes.ts';
import { sendReply } from './send.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** Bytes of a request, headers included; what is larger is cut off without an answer. */
const MAX_REQUEST_BYTES = 1_048_576;
const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE', 'OPTIONS']);

/** For a client that left before its turn came. */
const NOBODY_WAITS: Reply = SERVER_ERROR;

/** What one listener's app is made of. */
export interface AppParts {
  readonly services: RpcServices;
  readonly routes: Routes;
  readonly restricted: boolean;
  readonly corsOrigins: readonly string[];
  /** Whom to let in; anybody when undefined. */
  readonly login: Login | undefined;
  readonly admission: Admission;
  readonly unsent: UnsentAnswers;
  /** Bytes of an answer still being sent on a connection that may ask again. */
  readonly softLimit: number;
  readonly turns: Turns;
  readonly connectionCount: () => number;
  /** Notes a failed block request of an address. */
  readonly hostFailed: (address: string) => void;
}

/**
 * The Express app of one listener: refuses what monerod cuts off, takes requests of a connection one after another, reads the
 * body, and hands over to `dispatch`. Paths are matched exactly, query string included, so no Express route is used.
 */
export function createApp(parts: AppParts): Express {
  const unsentOf = new WeakMap<Socket, number>();
  const challengeOf = createGate(parts.login);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(refuseOversized);
  app.use(inOrder(parts.softLimit, (socket) => unsentOf.get(socket) ?? 0));
  app.use(express.raw({ type: () => true, limit: MAX_REQUEST_BYTES, inflate: false }));
  app.use(answer(parts, challengeOf, unsentOf));
  app.use(cutOff(parts));
  return app;
}

/**
 * Unknown verbs and bodies that announce too much lose their connection. A content encoding is not looked at: the body is taken
 * as it is.
 */
const refuseOversized: RequestHandler = (request, _response, next) => {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (!METHODS.has(request.method) || headerBytes(request) + announced > MAX_REQUEST_BYTES) {
    request.socket.destroy();
    return;
  }
  delete request.headers['content-encoding'];
  next();
};

/** Size of the request line and headers as sent, but for white space. */
function headerBytes(request: IncomingMessage): number {
  const line = (request.method ?? '').length + (request.url ?? '').length + 12;
  return request.rawHeaders.reduce((sum, text) => sum + text.length + 2, line + 2);
}

/** What keeps a request out: the headers of a challenge, or undefined to let it in. */
type Gate = (request: IncomingMessage) => readonly string[] | undefined;

function createGate(login: Login | undefined): Gate {
  if (login === undefined) return () => undefined;
  const sessions = new WeakMap<Socket, DigestSession>();
  return ({ socket, method = '', headers }) => {
    const session = sessions.get(socket) ?? new DigestSession(login);
    sessions.set(socket, session);
    return session.challenge(method, headers.authorization);
  };
}

function answer(
  parts: AppParts,
  challengeOf: Gate,
  unsentOf: WeakMap<Socket, number>,
): RequestHandler {
  return async (request, response) => {
    const { socket } = request;
    const isOptions = request.method === 'OPTIONS';
    const challenge = isOptions ? undefined : challengeOf(request);
    const reply = challenge === undefined ? await replyTo(parts, request) : unauthorized(challenge);
    const { length } = reply.body;
    const cors = corsHeaders(request.headers.origin, parts.corsOrigins, isOptions);
    const sent = parts.unsent.add(length, () => {
      parts.services.logger.warn(`gave up an answer of ${length} bytes that was not read`);
      socket.destroy();
    });
    unsentOf.set(socket, length);
    await sendReply(response, reply, cors);
    unsentOf.delete(socket);
    sent();
  };
}

async function replyTo(
  parts: AppParts,
  request: IncomingMessage & { readonly body?: unknown },
): Promise<Reply> {
  if (request.method === 'OPTIONS') return OPTIONS_REPLY;
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
  const { url = '' } = request;
  const context = contextOf(parts, request);
  // Outside of the admission: who waits for another daemon does not keep others from this one.
  const passed = await passOn(url, body, parts.routes, context);
  if (passed.reply !== undefined) return passed.reply;
  await parts.admission.enter();
  try {
    if (request.socket.destroyed) return NOBODY_WAITS;
    const turn = parts.turns.begin();
    return await dispatch(url, body, parts.routes, { ...context, turn, untrusted: passed.failed });
  } finally {
    parts.admission.leave();
  }
}

function contextOf(parts: AppParts, request: IncomingMessage): RpcContext {
  const address = plainAddress(request.socket.remoteAddress ?? '');
  return {
    ...parts.services,
    restricted: parts.restricted,
    untrusted: false,
    rpcConnections: parts.connectionCount(),
    turn: parts.turns.begin(),
    hostFailed: () => {
      parts.hostFailed(address);
    },
  };
}

/** Requests whose body can't be read (too large, broken off) end their connection. */
function cutOff({ services }: AppParts): ErrorRequestHandler {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- Express knows error handlers by four parameters
  return (error: unknown, request, _response, _next) => {
    services.logger.debug(`request cut off: ${String(error)}`);
    request.socket.destroy();
  };
}
