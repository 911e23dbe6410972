import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { TypedEventEmitter } from '@libp2p/interface';
import type { ComponentLogger, Listener, ListenerEvents, Upgrader } from '@libp2p/interface';
import { getThinWaistAddresses, ipPortToMultiaddr } from '@libp2p/utils';
import { guardEmitter, guardServer } from '@monero-node/base';
import type { Multiaddr } from '@multiformats/multiaddr';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { unmapped } from '../net/ip-address.ts';
import { ipAddress } from '../net/parse-address.ts';
import type { InboundGate } from './inbound-gate.ts';
import { WEB_SOCKET_OPTIONS, WebSocketConnection } from './web-socket-connection.ts';

export interface WebSocketListenerOptions {
  readonly gate: InboundGate;
  /** Milliseconds that a socket has to become a WebSocket. */
  readonly upgradeMs: number;
  readonly upgrader: Upgrader;
  readonly logger: ComponentLogger;
}

/** Accepts WebSockets: as many per host as the gate admits, from sockets that ask for one in time. */
export class WebSocketListener extends TypedEventEmitter<ListenerEvents> implements Listener {
  readonly #options: WebSocketListenerOptions;
  readonly #server: Server;
  readonly #protocol = guardEmitter(new WebSocketServer({ ...WEB_SOCKET_OPTIONS, noServer: true }));
  /** Accepted sockets with the timers of those that are no WebSocket yet. */
  readonly #sockets = new Map<Socket, NodeJS.Timeout>();
  readonly #stopping = new AbortController();
  #address: Multiaddr | undefined;

  constructor(options: WebSocketListenerOptions) {
    super();
    this.#options = options;
    this.#server = guardServer(createServer());
    this.#server.prependListener('connection', (socket) => this.#enter(socket));
    this.#server.on('request', (_, response) => {
      response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
    });
    this.#server.on('upgrade', (request, socket, head) => {
      this.#protocol.handleUpgrade(request, socket, head, (opened) => this.#open(opened, request));
    });
  }

  /** Listens on `/ip4/IP/tcp/PORT/ws` or its IPv6 form. Rejects with Error when the address cannot be listened on. */
  async listen(address: Multiaddr): Promise<void> {
    const [ip, tcp] = address.getComponents();
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      const at = { host: ip?.value ?? '', port: Number(tcp?.value), ipv6Only: ip?.name === 'ip6' };
      server.listen(at, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    this.#address = address;
    this.safeDispatchEvent('listening');
  }

  getAddrs(): Multiaddr[] {
    const bound = this.#server.address() as AddressInfo | null;
    if (bound === null) return [];
    return getThinWaistAddresses(this.#address, bound.port).map((at) => at.encapsulate('/ws'));
  }

  updateAnnounceAddrs(): void {}

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#stopping.abort();
    for (const socket of this.#sockets.keys()) socket.destroy();
    await closed;
    this.safeDispatchEvent('close');
  }

  #enter(socket: Socket): void {
    const { gate, upgradeMs } = this.#options;
    const from = ipAddress(socket.remoteAddress ?? '', socket.remotePort ?? 0);
    const leave = from && gate.enter(unmapped(from));
    if (!leave) return void socket.destroy();
    const timer = setTimeout(() => socket.destroy(), upgradeMs);
    timer.unref();
    this.#sockets.set(socket, timer);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
      leave();
    });
  }

  #open(opened: WebSocket, { socket }: IncomingMessage): void {
    const { logger, upgrader } = this.#options;
    clearTimeout(this.#sockets.get(socket));
    const { remoteAddress = '0.0.0.0', remotePort = 0 } = socket;
    const connection = new WebSocketConnection({
      socket: opened,
      remoteAddr: ipPortToMultiaddr(remoteAddress, remotePort).encapsulate('/ws'),
      direction: 'inbound',
      log: logger.forComponent('libp2p:websockets:connection'),
    });
    upgrader
      .upgradeInbound(connection, { signal: this.#stopping.signal })
      .catch((error: Error) => connection.abort(error));
  }
}
