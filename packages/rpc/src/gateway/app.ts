import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { RpcServices } from '../context.ts';
import type { Turns } from '../turns.ts';
import { plainAddress } from './addresses.ts';
import type { Admission } from './admission.ts';
import { corsHeaders } from './cors.ts';
import { dispatch } from './dispatch.ts';
import { OPTIONS_REPLY } from './reply.ts';
import type { Routes } from './routes.ts';
import { sendReply } from './send.ts';

/** Bytes of a request, headers included; what is larger is cut off without an answer. */
const MAX_REQUEST_BYTES = 1_048_576;
const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE', 'OPTIONS']);
/** Requests sent ahead on one connection. */
const MAX_PIPELINED = 64;

/** What one listener's app is made of. */
export interface AppParts {
  readonly services: RpcServices;
  readonly routes: Routes;
  readonly restricted: boolean;
  readonly corsOrigins: readonly string[];
  readonly admission: Admission;
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
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(refuseOversized, inOrder());
  app.use(express.raw({ type: () => true, limit: MAX_REQUEST_BYTES, inflate: false }));
  app.use(answer(parts));
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

/**
 * Starts a request only when the one before it on the same connection is answered. Its body is not read before, so that what a
 * client sends ahead stays in the socket.
 */
function inOrder(): RequestHandler {
  const queues = new WeakMap<Socket, { last: Promise<void>; length: number }>();
  return (request, response, next) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? { last: Promise.resolve(), length: 0 };
    queues.set(socket, queue);
    if (queue.length >= MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    const before = queue.last;
    queue.length++;
    queue.last = new Promise((resolve) => {
      response.once('close', () => {
        queue.length--;
        resolve();
      });
    });
    void before.then(() => {
      if (!socket.destroyed) next();
    });
  };
}

function answer(parts: AppParts): RequestHandler {
  return async (request, response) => {
    const { admission } = parts;
    const isOptions = request.method === 'OPTIONS';
    await admission.enter();
    const reply = await (async () => {
      try {
        if (isOptions) return OPTIONS_REPLY;
        return await dispatch(
          request.url,
          bodyOf(request),
          parts.routes,
          contextOf(parts, request),
        );
      } finally {
        admission.leave();
      }
    })();
    const sent = admission.queued(reply.body.length);
    const cors = corsHeaders(request.headers.origin, parts.corsOrigins, isOptions);
    await sendReply(response as ServerResponse, reply, cors);
    sent();
  };
}

function contextOf(parts: AppParts, request: IncomingMessage) {
  const address = plainAddress(request.socket.remoteAddress ?? '');
  return {
    ...parts.services,
    restricted: parts.restricted,
    rpcConnections: parts.connectionCount(),
    turn: parts.turns.begin(),
    hostFailed: () => {
      parts.hostFailed(address);
    },
  };
}

function bodyOf(request: { body?: unknown }): Uint8Array {
  return request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
}

/** Bodies that can't be read (too large, broken off, compressed) end the connection. */
function cutOff({ services }: AppParts): ErrorRequestHandler {
  return (error: unknown, request, _response, next) => {
    services.logger.debug(`request cut off: ${String(error)}`);
    request.socket.destroy();
    if (!request.socket.destroyed) next(error);
  };
}
