import type { IncomingHttpHeaders } from 'node:http';
import { StreamSeats, type StreamLimits } from '../page/stream-seats.ts';
import type { PageRouter, PageView, WebPage, WebPageFile } from '../page/web-page.ts';
import type { ClientRequest, Origin } from './call-request.ts';
import {
  HOST_REFUSED,
  isAllowedHost,
  isForeignPage,
  type BrowserRules,
} from './answers/browser-guard.ts';
import { forbidden, type Reply } from './answers/reply.ts';
import { seatedStream } from './seated-stream.ts';

/** Open event streams of a port. Those of the owner show more; a page open in a few tabs needs a few. */
const STREAM_LIMITS: Readonly<Record<PageView, StreamLimits>> = {
  owner: { perHost: 8, total: 32 },
  public: { perHost: 4, total: 32 },
};
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');
/** No other site may show the page, load parts of it, or learn what it links to. */
const SECURITY = [
  ...['Content-Security-Policy', POLICY],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  ...['Referrer-Policy', 'same-origin'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];
const NOT_KEPT = ['Cache-Control', 'no-store'];
const KEPT = ['Cache-Control', 'public, max-age=31536000, immutable'];

/** The rules of the page on one port. */
export interface PagePort {
  readonly page: WebPage;
  readonly view: PageView;
  readonly browsers: BrowserRules;
}

/** Answers requests for the web page. */
export interface PageSource {
  readonly paths: readonly string[];
  /** Returns the answer to a GET or HEAD of one of the paths. */
  readonly reply: (asked: ClientRequest) => Reply | Promise<Reply>;
  /** Chooses who answers requests for the paths; they are compared as they are when absent. */
  readonly route?: PageRouter | undefined;
}

/** The web page on one port: its files and its event streams. */
export class PageServer implements PageSource {
  readonly #port: PagePort;
  readonly #seats: StreamSeats;

  constructor(port: PagePort) {
    this.#port = port;
    this.#seats = new StreamSeats(STREAM_LIMITS[port.view]);
  }

  get route(): PageRouter | undefined {
    return this.#port.page.route;
  }

  get paths(): readonly string[] {
    const { files, eventsPath } = this.#port.page;
    return [...files.keys(), eventsPath];
  }

  /** Returns the file at the path, or the events. */
  readonly reply: PageSource['reply'] = ({ request: { verb, url, headers }, origin }) => {
    const file = this.#port.page.files.get(url);
    return (
      this.#refusal(headers) ??
      (file ? fileReply(file, headers) : this.#events(verb, headers, origin))
    );
  };

  /**
   * A page could have pointed its own name at this machine, whatever address the port listens on. A public page has nothing
   * to hide, and is often behind a proxy that passes the public name on.
   */
  #refusal({ host }: IncomingHttpHeaders): Reply | undefined {
    const { view, browsers } = this.#port;
    if (view === 'public' || host === undefined) return undefined;
    return isAllowedHost(host, browsers.pageHosts) ? undefined : HOST_REFUSED;
  }

  #events(verb: string, headers: IncomingHttpHeaders, origin: Origin): Reply {
    const { page, view, browsers } = this.#port;
    if (isForeignPage(headers, browsers)) return forbidden('Other pages may not read the events.');
    if (verb === 'HEAD') return eventsReply(undefined);
    const lastId = headers['last-event-id'];
    const reader = page.events[view].open(typeof lastId === 'string' ? lastId : undefined);
    return eventsReply(seatedStream({ reader, seats: this.#seats, origin }));
  }
}

type Rest = NonNullable<Reply['body']['rest']>;

function eventsReply(rest: Rest | undefined): Reply {
  return {
    status: 200,
    phrase: 'Ok',
    contentType: 'text/event-stream',
    close: true,
    body: { chunks: [], length: 0, rest },
    method: 'page',
    // Proxies must not collect the messages.
    headers: [...SECURITY, ...NOT_KEPT, 'X-Accel-Buffering', 'no'],
  };
}

function fileReply(
  { contentType, body, gzip, isImmutable }: WebPageFile,
  headers: IncomingHttpHeaders,
): Reply {
  const isSmall = acceptsGzip(headers['accept-encoding']);
  const chosen = isSmall ? gzip : body;
  return {
    status: 200,
    phrase: 'Ok',
    contentType,
    close: false,
    body: { chunks: [chosen], length: chosen.length },
    method: 'page',
    headers: [
      ...SECURITY,
      ...(isImmutable ? KEPT : NOT_KEPT),
      ...['Vary', 'Accept-Encoding'],
      ...(isSmall ? ['Content-Encoding', 'gzip'] : []),
    ],
  };
}

/** Returns whether a client takes compressed answers. */
function acceptsGzip(accepted: string | string[] | undefined = ''): boolean {
  return String(accepted)
    .split(',')
    .map((coding) => /^\s{0,9}gzip\s{0,9}(?:;\s{0,9}q=([\d.]{1,5})\s{0,9})?$/i.exec(coding))
    .some((match) => match !== null && Number(match[1] ?? 1) > 0);
}
