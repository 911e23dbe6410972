import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Reply } from './answers/reply.ts';
import { isOwnersHost } from './answers/browser-guard.ts';
import type { Call } from './answer-call.ts';
import type { AppParts } from './app-parts.ts';
import { LIVE_PATH, liveReply, READY_PATH, readyReply } from './health.ts';

/** Answers the requests of one kind, once they are let in. */
export interface Answerer {
  readonly needsLogin: boolean;
  readonly answer: (call: Call) => Reply | Promise<Reply>;
}

/** Begins a request within the limits of the port; its answer comes from `answerer`. */
export type Take = (request: IncomingMessage, response: ServerResponse, answerer: Answerer) => void;

/**
 * The routes of what a port serves besides methods: the probes of monitoring programs and the web page. Every other request, such
 * as a POST to the page, is one for `methods`. Express only chooses who answers: headers, login and limits are the same for
 * all requests (`Exchange`).
 */
export function createSite(parts: AppParts, methods: Answerer, take: Take): RequestListener {
  const { page } = parts;
  const site = express();
  site.disable('x-powered-by');
  site.enable('case sensitive routing');
  site.enable('strict routing');
  const from =
    (answerer: Answerer): RequestHandler =>
    (request, response) =>
      take(request, response, answerer);
  const get = (paths: string[], answerer: Answerer): unknown =>
    site.get(paths, withoutQuery, from(answerer));
  get([LIVE_PATH], { needsLogin: false, answer: liveReply });
  get([READY_PATH], {
    needsLogin: false,
    answer: ({ request }) => {
      const isPublic = parts.restricted || !isOwnersHost(request.headers, parts.browsers);
      return readyReply(parts.services, isPublic);
    },
  });
  if (page !== undefined) get([...page.paths], { needsLogin: true, answer: page.reply });
  // Takes all that is left, so that Express answers nothing by itself.
  site.use(from(methods));
  return site;
}

/** Leaves a route whose path the request only has with a query string: paths are matched exactly, as monerod's are. */
const withoutQuery: RequestHandler = (request, _response, next) =>
  next(request.url === request.path ? undefined : 'route');
