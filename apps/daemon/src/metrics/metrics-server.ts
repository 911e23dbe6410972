import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardServer, type Logger } from '@monero-node/base';
import { isLoopback } from '@monero-node/p2p/hosts';
import { ConnectionCounter, isAllowedHost } from '@monero-node/rpc';
import type { MetricsSettings } from '../cli/service-settings.ts';
import type { Scraper } from './scraper.ts';

const PATH = '/metrics';
/** Connections at a time; a monitoring system needs one. A new one replaces the one that has been idle longest. */
const LIMITS = { perPublicIp: 8, perPrivateIp: 12, total: 100, fullHost: 'replaces' } as const;
const MAX_HEADER_BYTES = 16_384;
/** Time for a client to send a request, milliseconds. */
const REQUEST_MS = 10_000;
/** Time after which a connection on which nothing moves is closed, milliseconds. */
const STALL_MS = 30_000;
/** Idle connections are kept this long, milliseconds: more than the usual pause between two scrapes. */
const KEEP_ALIVE_MS = 75_000;

export interface MetricsServerDependencies {
  readonly scraper: Pick<Scraper, 'scrape' | 'contentType'>;
  readonly logger: Logger;
}

/** Serves the metrics of this node to Prometheus, over plain HTTP at `/metrics`. */
export class MetricsServer {
  readonly #settings: MetricsSettings;
  readonly #deps: MetricsServerDependencies;
  readonly #server: Server;
  readonly #connections = new ConnectionCounter(LIMITS);

  constructor(settings: MetricsSettings, deps: MetricsServerDependencies) {
    this.#settings = settings;
    this.#deps = deps;
    const options = {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    this.#server = guardServer(
      createServer(options, (request, response) => this.#take(request, response)),
    );
    this.#server.prependListener('connection', (socket) => {
      if (!this.#connections.admit(socket)) socket.destroy();
    });
    this.#server.setTimeout(STALL_MS);
  }

  /** Listens. Returns the port. Rejects when the address cannot be listened on. */
  async start(): Promise<number> {
    const { bindIp, bindPort } = this.#settings;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: bindIp, port: bindPort }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => this.#deps.logger.error(`metrics: ${error.message}`));
    const { port } = this.#server.address() as AddressInfo;
    const shown = bindIp.includes(':') ? `[${bindIp}]` : bindIp;
    this.#deps.logger.info(`metrics on http://${shown}:${port}${PATH}`);
    if (!isLoopback(bindIp))
      this.#deps.logger.warn('the metrics have no login: other machines may read them');
    return port;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const seat = this.#connections.seatOf(request.socket);
    seat.note('serving');
    response.once('finish', () => seat.note('sending'));
    response.once('close', () => seat.note('idle'));
    void this.#serve(request, response);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    if (!this.#isAllowed(headers.host))
      return refuse(response, 403, 'Use an IP address or a name without a dot.');
    if (url.split('?')[0] !== PATH) return refuse(response, 404, `Metrics are at ${PATH}.`);
    if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD.');
    const { scraper, logger } = this.#deps;
    try {
      const text = await scraper.scrape();
      response.writeHead(200, {
        'Content-Type': scraper.contentType,
        'Content-Length': Buffer.byteLength(text),
        'Cache-Control': 'no-store',
      });
      response.end(text);
    } catch (error) {
      logger.error(`metrics: ${error instanceof Error ? error.message : String(error)}`);
      refuse(response, 500, 'The metrics could not be read; see the log.');
    }
  }

  /** A page could have pointed its own name at this machine (DNS rebinding). */
  #isAllowed(host: string | undefined): boolean {
    return host === undefined || !isLoopback(this.#settings.bindIp) || isAllowedHost(host, []);
  }
}

/** Answers with a text. The connection ends, because the request may have a body that is not read. */
function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' });
  response.end(`${text}\n`);
}
