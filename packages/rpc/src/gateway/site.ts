import type { IncomingMessage } from 'node:http';
import type { Reply } from './answers/reply.ts';
import { isOwnersHost } from './answers/browser-guard.ts';
import type { Call } from './answer-call.ts';
import type { AppParts } from './app-parts.ts';
import { sitePath } from './events-server.ts';
import type { PageSource } from './page-reply.ts';
import { FLEET_PATH, fleetReply, LIVE_PATH, liveReply, READY_PATH, readyReply } from './health.ts';

/** Answers the requests of one kind, once they are let in. */
export interface Answerer {
  readonly needsLogin: boolean;
  readonly answer: (call: Call) => Reply | Promise<Reply>;
}

/** What a port serves besides methods: who answers a GET or HEAD of each path, without a query string. */
export type Site = ReadonlyMap<string, Answerer>;

/** The verbs that a path of the site has. */
const VERBS = new Set(['GET', 'HEAD']);

/**
 * Returns what a port serves besides methods: the probes of monitoring programs, the web page and the stream of events. It only chooses
 * who answers: headers, login and limits are the same for all requests (`Exchange`).
 */
export function createSite(parts: AppParts): Site {
  const { page } = parts;
  const site = new Map<string, Answerer>([
    [LIVE_PATH, { needsLogin: false, answer: liveReply }],
    [
      READY_PATH,
      {
        needsLogin: false,
        answer: ({ request }) => {
          const isPublic = parts.restricted || !isOwnersHost(request.headers, parts.browsers);
          return readyReply(parts.services, isPublic);
        },
      },
    ],
    [FLEET_PATH, { needsLogin: false, answer: () => fleetReply(parts.services) }],
  ]);
  if (page !== undefined) {
    for (const path of page.paths) site.set(path, answererOfPage(page));
  }
  return site;
}

/** Returns who answers requests for the page. */
export const answererOfPage = (page: PageSource): Answerer => {
  return { needsLogin: true, answer: page.reply };
};

/**
 * Returns who answers a request: one for a path of the site, as it stands in the request line, goes there; all others, and other verbs such
 * as a POST to the page, to `methods`.
 */
export function answererOf(
  { method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  site: Site,
  methods: Answerer,
): Answerer {
  return (VERBS.has(method) ? site.get(sitePath(url)) : undefined) ?? methods;
}
