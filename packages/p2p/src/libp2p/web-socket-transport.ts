import { serviceCapabilities, transportSymbol } from '@libp2p/interface';
import type {
  ComponentLogger,
  Connection,
  CreateListenerOptions,
  DialTransportOptions,
  Listener,
  Transport,
} from '@libp2p/interface';
import { guardEmitter } from '@monero-node/base';
import type { Multiaddr } from '@multiformats/multiaddr';
import { multiaddrToUri } from '@multiformats/multiaddr-to-uri';
import { WebSocket } from 'ws';
import { isWebSocket } from './addresses.ts';
import type { InboundGate } from './inbound-gate.ts';
import { WEB_SOCKET_OPTIONS, WebSocketConnection } from './web-socket-connection.ts';
import { WebSocketListener } from './web-socket-listener.ts';

export interface WebSocketTransportOptions {
  readonly gate: InboundGate;
  /** Milliseconds that an accepted socket has to become a WebSocket. */
  readonly upgradeMs: number;
}

/** The components of libp2p that are passed to its transports. */
interface Components {
  readonly logger: ComponentLogger;
}

/**
 * Returns a libp2p transport over WebSocket. libp2p's own one cannot be used: it puts no error listener on its sockets, so
 * one malformed frame ends the process, and it limits neither the length of a message, nor the sockets per host, nor
 * the time until a socket speaks.
 */
export function webSocketTransport(
  options: WebSocketTransportOptions,
): (components: Components) => Transport {
  return (components) => new WebSocketTransport(options, components.logger);
}

class WebSocketTransport implements Transport {
  readonly [transportSymbol] = true;
  readonly [Symbol.toStringTag] = 'web-sockets';
  readonly [serviceCapabilities]: string[] = ['@libp2p/transport'];
  readonly #options: WebSocketTransportOptions;
  readonly #logger: ComponentLogger;

  constructor(options: WebSocketTransportOptions, logger: ComponentLogger) {
    this.#options = options;
    this.#logger = logger;
  }

  async dial(address: Multiaddr, options: DialTransportOptions): Promise<Connection> {
    const connection = await this.#connect(address, options.signal);
    try {
      return await options.upgrader.upgradeOutbound(connection, options);
    } catch (error) {
      connection.abort(error as Error);
      throw error;
    }
  }

  createListener({ upgrader }: CreateListenerOptions): Listener {
    return new WebSocketListener({ ...this.#options, upgrader, logger: this.#logger });
  }

  listenFilter(addresses: Multiaddr[]): Multiaddr[] {
    return addresses.filter(isWebSocket);
  }

  dialFilter(addresses: Multiaddr[]): Multiaddr[] {
    return addresses.filter(isWebSocket);
  }

  #connect(address: Multiaddr, signal: AbortSignal): Promise<WebSocketConnection> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const socket = guardEmitter(
        new WebSocket(multiaddrToUri(address), WEB_SOCKET_OPTIONS),
        reject,
      );
      const giveUp = (): void => socket.terminate();
      signal.addEventListener('abort', giveUp, { once: true });
      const settle = (): void => signal.removeEventListener('abort', giveUp);
      socket.once('close', settle);
      // The connection listens before the first frame can be read.
      socket.once('open', () => {
        settle();
        const log = this.#logger.forComponent('libp2p:websockets:connection');
        resolve(
          new WebSocketConnection({ socket, remoteAddr: address, direction: 'outbound', log }),
        );
      });
    });
  }
}
