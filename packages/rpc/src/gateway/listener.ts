import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '@monero-node/blockchain';
import type { P2pNodeInfo } from '@monero-node/p2p';
import { plainAddress } from './addresses.ts';
import type { ConnectionCounter } from './connection-limits.ts';

const MAX_HEADER_BYTES = 100_000;
/** Idle connections are kept this long, milliseconds. */
const KEEP_ALIVE_MS = 120_000;
/** A connection on which nothing moves is closed after this, milliseconds. */
const STALL_MS = 300_000;
/** Answers under way have this long to finish when the listener stops, milliseconds. */
const DRAIN_MS = 2000;

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly connections: ConnectionCounter;
  readonly p2p: Pick<P2pNodeInfo, 'banned'>;
  readonly logger: Logger;
}

/** One HTTP socket server. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;

  constructor(options: ListenerOptions, app: RequestListener) {
    this.#options = options;
    this.#server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        requireHostHeader: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      app,
    );
    this.#server.setTimeout(STALL_MS);
    this.#server.on('connection', (socket) => {
      this.#accept(socket);
    });
    // A garbled request is not answered.
    this.#server.on('clientError', (_error, socket) => {
      socket.destroy();
    });
  }

  /** Resolves with the port listened on; rejects when it can't be had. */
  async start(): Promise<number> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => {
      this.#options.logger.error(`listener failed: ${error.message}`);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more connections, closes idle ones and, after a moment, those still busy. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      this.#server.closeAllConnections();
    }, DRAIN_MS);
    await closed;
    clearTimeout(timer);
  }

  #accept(socket: Socket): void {
    const { connections, p2p, logger } = this.#options;
    const address = plainAddress(socket.remoteAddress ?? '');
    if (p2p.banned(address) !== undefined) {
      socket.resetAndDestroy();
      return;
    }
    if (!connections.admit(socket)) {
      logger.debug(`too many connections, ${address} turned away`);
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
  }
}
