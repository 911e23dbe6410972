import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Reply } from './answers/reply.ts';
import { isOwnersHost } from './answers/browser-guard.ts';
import type { Call } from './answer-call.ts';
import type { AppParts } from './app-parts.ts';
import { FLEET_PATH, fleetReply, LIVE_PATH, liveReply, READY_PATH, readyReply } from './health.ts';

/** Answers the requests of one kind, once they are let in. */
export interface Answerer {
  readonly needsLogin: boolean;
  readonly answer: (call: Call) => Reply | Promise<Reply>;
}

/** Begins a request within the limits of the port; its answer comes from `answerer`. */
export type Take = (request: IncomingMessage, response: ServerResponse, answerer: Answerer) => void;

/** What a port serves besides methods. */
export interface Site {
  /** The paths that `listener` takes, without a query string. */
  readonly paths: ReadonlySet<string>;
  readonly listener: RequestListener;
}

/**
 * Returns the routes of what a port serves besides methods: the probes of monitoring programs, the web page and the stream of events. Another verb, such
 * as a POST to the page, is one for `methods`. Express only chooses who answers: headers, login and limits are the same for
 * all requests (`Exchange`).
 */
export function createSite(parts: AppParts, methods: Answerer, take: Take): Site {
  const { page } = parts;
  const site = express();
  site.disable('x-powered-by');
  const paths = new Set<string>();
  const from =
    (answerer: Answerer): RequestHandler =>
    (request, response) =>
      take(request, response, answerer);
  const get = (routes: readonly string[], answerer: Answerer): void => {
    for (const path of routes) paths.add(path);
    site.get([...routes], from(answerer));
  };
  get([LIVE_PATH], { needsLogin: false, answer: liveReply });
  get([READY_PATH], {
    needsLogin: false,
    answer: ({ request }) => {
      const isPublic = parts.restricted || !isOwnersHost(request.headers, parts.browsers);
      return readyReply(parts.services, isPublic);
    },
  });
  get([FLEET_PATH], { needsLogin: false, answer: () => fleetReply(parts.services) });
  if (page !== undefined) get(page.paths, { needsLogin: true, answer: page.reply });
  site.use(from(methods));
  return { paths, listener: site };
}
