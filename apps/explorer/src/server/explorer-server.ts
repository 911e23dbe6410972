import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardServer, type Logger } from '@monero-node/base';
import express, { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Database } from '../database/database.ts';
import { html } from '../page/html.ts';
import { layout } from '../page/layout.ts';
import { readTotals } from '../queries/block-queries.ts';
import { LiveEvents } from './live-events.ts';
import { pageRoutes } from './page-routes.ts';

const MAX_CONNECTIONS = 2000;
const REQUEST_MS = 10_000;

export interface ExplorerServerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** Serves the pages of the explorer. */
export class ExplorerServer {
  readonly #server: Server;
  readonly #events: LiveEvents;
  readonly #options: ExplorerServerOptions;

  constructor(
    options: ExplorerServerOptions,
    { database, logger }: { readonly database: Database; readonly logger: Logger },
  ) {
    this.#options = options;
    this.#events = new LiveEvents(async () => (await readTotals(database)).height);
    const app = express();
    app.disable('x-powered-by');
    app.set('query parser', 'simple');
    app.use(safeHeaders(), staticFiles());
    app.get('/events', (_, response) => this.#events.add(response));
    app.use(pageRoutes(database), notFound(), failed(logger));
    this.#server = guardServer(
      createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, app),
      (error) => logger.warn(`the server: ${error.message}`),
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Throws Error, with that of the system as its cause, when the port cannot be opened. Returns the address of the front page. */
  async start(): Promise<string> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause: NodeJS.ErrnoException) => {
        const why = cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message;
        reject(new Error(`no pages at ${host}:${port} (--host, --port): ${why}`, { cause }));
      });
      this.#server.listen(port, host, resolve);
    });
    const { port: opened } = this.#server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${opened}/`;
  }

  /** Notifies all open pages that the tables have changed. */
  changed(): void {
    this.#events.changed();
  }

  async stop(): Promise<void> {
    this.#events.close();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

function notFound(): express.RequestHandler {
  return (_, response) => {
    const body = html`<h1>No such page</h1>`;
    response
      .status(404)
      .type('html')
      .send(layout({ title: 'No such page', height: -1, body }).text);
  };
}

/** The details go to the log: a visitor is told only that the tables cannot be read now. */
function failed(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _, response, next) => {
    if (response.headersSent) return next(error);
    // Express marks what is wrong with a request itself, such as a malformed escape in its path.
    const isRequest = error instanceof URIError;
    if (!isRequest) logger.warn(`a page: ${String(error)}`);
    const title = isRequest ? 'No such page' : 'Not now';
    const body = isRequest
      ? html`<h1>No such page</h1>`
      : html`<h1>Not now</h1>
          <p class="soft">The database does not answer. Try again soon.</p>`;
    response
      .status(isRequest ? 404 : 503)
      .type('html')
      .send(layout({ title, height: -1, body }).text);
  };
}

/** The page asks nobody but its own server, runs no script but its own, and is shown in no other page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns what sets the headers of every answer. */
function safeHeaders(): RequestHandler {
  return (_, response, next) => {
    response.set({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    next();
  };
}

const FOLDER = new URL('../../public/', import.meta.url);
const FILES = {
  'icon.svg': 'image/svg+xml',
  'live.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
};

/** Returns what serves the files of the page: these, and no others. */
function staticFiles(): Router {
  const router = Router();
  for (const [name, type] of Object.entries(FILES)) {
    const content = readFileSync(new URL(name, FOLDER));
    router.get(`/${name}`, (_, response) => void response.type(type).send(content));
  }
  return router;
}
