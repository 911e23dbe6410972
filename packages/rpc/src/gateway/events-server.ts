import { PositionError } from '../events/message.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { CallScheduler } from '../scheduling/call-scheduler.ts';
import { COMMENT_BEAT } from '../page/event-stream.ts';
import { StreamSeats, type StreamLimits } from '../page/stream-seats.ts';
import { isForeignPage, type BrowserRules } from './answers/browser-guard.ts';
import { BAD_REQUEST, forbidden, type Reply } from './answers/reply.ts';
import type { CallRequest } from './call-request.ts';
import type { PageSource } from './page-reply.ts';
import { seatedStream } from './seated-stream.ts';

/** Path of the stream of events for programs. */
const EVENTS_PATH = '/events';
/** Before the block from which a client wants to go on. */
const AFTER = `${EVENTS_PATH}?after=`;
/** Open streams of a port. Programs of the owner, and those behind a proxy that is not trusted, have one host. */
const LIMITS: Readonly<Record<'owner' | 'public', StreamLimits>> = {
  owner: { perHost: 64, total: 128 },
  public: { perHost: 8, total: 128 },
};
const HEADERS = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cache-Control', 'no-store'],
  // Proxies must not collect the messages.
  ...['X-Accel-Buffering', 'no'],
];

/** The rules of the stream on one port. */
export interface EventsPort {
  readonly feed: EventFeed;
  /** Messages are made in the time of the client's host and of its port. */
  readonly scheduler: Pick<CallScheduler, 'begin'>;
  readonly restricted: boolean;
  readonly browsers: BrowserRules;
}

/** The stream of events on one port. It says the same on all ports. */
export class EventsServer implements PageSource {
  readonly paths = [EVENTS_PATH];
  readonly #port: EventsPort;
  readonly #seats: StreamSeats;

  constructor(port: EventsPort) {
    this.#port = port;
    this.#seats = new StreamSeats(LIMITS[port.restricted ? 'public' : 'owner']);
  }

  /** Returns the stream, or why there is none. */
  readonly reply: PageSource['reply'] = ({ request, origin }) => {
    const { verb, url, headers } = request;
    const { feed, scheduler, browsers } = this.#port;
    if (isForeignPage(headers, browsers))
      return forbidden(
        'Pages of other sites may not read the events; see --rpc-access-control-origins.',
      );
    if (url !== EVENTS_PATH && !url.startsWith(AFTER)) return refused('after=HEIGHT-ID expected');
    if (verb === 'HEAD') return eventsReply(undefined);
    try {
      const yielder = scheduler.begin(undefined, { caller: origin.caller });
      const reader = feed.open(wantedPosition(request), () => yielder.yieldNow());
      return eventsReply(seatedStream({ reader, seats: this.#seats, origin, beat: COMMENT_BEAT }));
    } catch (error) {
      if (error instanceof PositionError) return refused(error.message);
      throw error;
    }
  };
}

/** Returns what each of two sources answers at its own paths. */
export function joinedSource(page: PageSource, events: PageSource): PageSource {
  return {
    paths: [...page.paths, ...events.paths],
    route: page.route,
    reply: (asked) => (sitePath(asked.request.url) === EVENTS_PATH ? events : page).reply(asked),
  };
}

/** Returns the path of a URL without its query string, where one may have a query string; else all of it. */
export function sitePath(url: string): string {
  return url.startsWith(`${EVENTS_PATH}?`) ? EVENTS_PATH : url;
}

/** A browser that comes back says what it has got last; its URL is as old as its page. */
function wantedPosition({
  url,
  headers,
}: Pick<CallRequest, 'url' | 'headers'>): string | undefined {
  const lastId = headers['last-event-id'];
  if (typeof lastId === 'string' && lastId !== '') return lastId;
  return url.startsWith(AFTER) ? url.slice(AFTER.length) : undefined;
}

function refused(reason: string): Reply {
  const text = `${reason}\n`;
  return { ...BAD_REQUEST, method: 'events', body: { chunks: [text], length: text.length } };
}

function eventsReply(rest: Reply['body']['rest']): Reply {
  return {
    status: 200,
    phrase: 'Ok',
    contentType: 'text/event-stream',
    close: true,
    body: { chunks: [], length: 0, rest },
    method: 'events',
    headers: HEADERS,
  };
}
