import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { guardEmitter } from '@monero-node/base';
import type { Logger } from '@monero-node/base';
import { isPrivate, plainHost } from '@monero-node/p2p/hosts';
import type { P2pNodeInfo } from '@monero-node/p2p';
import type { ProxiedClients, ClientVerdict } from './client-gate.ts';
import { readProxyHeader } from './proxy-header.ts';
import type { HandshakeQueue } from '../../tls/handshake-queue.ts';
import type { SecureAcceptor } from '../../tls/secure-acceptor.ts';
import type { ConnectionCounter } from './connection-limits.ts';
import { IDLE, SILENT } from './seat.ts';

const MAX_HEADER_BYTES = 100_000;
/** Time to send the headers of a request, milliseconds; for the first one since the connection was opened. */
const HEADERS_MS = 10_000;
/** How often the server looks for connections that exceed it, milliseconds. */
const CHECK_MS = 2000;
/** Idle connections are kept this long, milliseconds. */
const KEEP_ALIVE_MS = 120_000;
/** An inactive connection is closed after this, milliseconds. */
const STALL_MS = 300_000;
/** Answers under way have this long to finish when the listener stops, milliseconds. */
const DRAIN_MS = 2000;
/** Milliseconds between two looks for connections whose answers have been sent by then. */
const IDLE_MS = 20;

/** First byte of a TLS handshake; no HTTP request begins with it. */
const TLS_HANDSHAKE = 0x16;
/** Time to send a first byte, milliseconds. */
const SILENCE_MS = 10_000;

/** Connections that may wait for room. */
const MAX_WAITING = 64;
/** Banned hosts named in the log at the same time. */
const MOST_NAMED = 100;
/** How often room is made for one of them. */
const ROOM_TRIES = 3;

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  /** Shared by the listeners of one port. */
  readonly connections: ConnectionCounter;
  readonly p2p: Pick<P2pNodeInfo, 'banned' | 'banNotice'>;
  readonly logger: Logger;
  /** Serves TLS, besides plain HTTP or alone. */
  readonly secure: SecureAcceptor | undefined;
  /** Returns the queue that the listeners of one port share now. */
  readonly handshakes: () => HandshakeQueue;
  /** Trusted proxies and their clients; undefined when no proxy is trusted. */
  readonly proxied?: ProxiedClients | undefined;
  /** Hands a connection over to another process; returns false when this one has to serve it. None by default. */
  readonly handOver?: ((socket: Socket, keepHere: () => void) => boolean) | undefined;
  /**
   * Asks another process to close a connection that waits for its client, when there are too many. Resolves with whether it has
   * closed one.
   */
  readonly makeRoom?: (() => Promise<boolean>) | undefined;
}

/** One HTTP socket server. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #serve: (socket: Socket) => void;
  /** Sockets whose first byte has not arrived yet. */
  readonly #unknown = new Set<Socket>();
  readonly #open = new Set<Socket>();
  /** Sockets for which another process makes room. */
  readonly #waiting = new Set<Socket>();
  /** Hosts of which the log says that they are banned. */
  readonly #namedBans = new Set<string>();
  #isAdopting = false;

  constructor(options: ListenerOptions, app: RequestListener) {
    this.#options = options;
    this.#server = guardEmitter(
      createServer(
        {
          maxHeaderSize: MAX_HEADER_BYTES,
          requireHostHeader: false,
          keepAliveTimeout: KEEP_ALIVE_MS,
          headersTimeout: HEADERS_MS,
          connectionsCheckingInterval: CHECK_MS,
        },
        app,
      ),
    );
    this.#server.prependListener('request', (_, response) => void guardEmitter(response));
    this.#server.setTimeout(STALL_MS);
    this.#serve = this.#takeOver();
    // A garbled request is not answered.
    this.#server.on('clientError', (_error, socket) => {
      socket.destroy();
    });
  }

  /** Resolves with the bound port; rejects when the address cannot be bound. */
  async start(): Promise<number> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, ipv6Only: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => {
      this.#options.logger.error(`listener failed: ${error.message}`);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Serves connections that another process accepts, in place of `start`. */
  startAdopting(): void {
    // The server sets its time limits for slow requests in motion when it begins to listen.
    this.#server.emit('listening');
    this.#isAdopting = true;
  }

  /** Takes a connection that another process has accepted. */
  adopt(socket: Socket): void {
    this.#server.emit('connection', socket);
  }

  /** Takes no more connections, closes idle ones and, after a moment, those still busy. */
  async stop(): Promise<void> {
    if (this.#isAdopting) return this.#drain();
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
    this.#server.closeIdleConnections();
    for (const socket of [...this.#unknown, ...this.#waiting]) socket.destroy();
    // A client that keeps its connection would hold up the stop after its last answer.
    const sweep = setInterval(() => this.#server.closeIdleConnections(), IDLE_MS);
    const timer = setTimeout(() => {
      for (const socket of this.#open) socket.destroy();
    }, DRAIN_MS);
    await closed;
    clearInterval(sweep);
    clearTimeout(timer);
  }

  /** The same for connections that another process has accepted. */
  async #drain(): Promise<void> {
    const end = performance.now() + DRAIN_MS;
    for (const socket of this.#unknown) socket.destroy();
    while (this.#open.size > 0 && performance.now() < end) {
      this.#server.closeIdleConnections();
      await delay(IDLE_MS);
    }
    for (const socket of this.#open) socket.destroy();
  }

  /**
   * Replaces the server's connection listener by this object and returns the listener: the only way to read the first
   * byte of a connection and keep the server's time limits for slow requests.
   */
  #takeOver(): (socket: Socket) => void {
    const server = this.#server;
    const [http] = server.listeners('connection');
    server.removeAllListeners('connection');
    const serve = (socket: Socket): void => {
      http?.call(server, socket);
    };
    const { secure, handshakes, connections } = this.#options;
    const clientOf = (socket: Socket): string | undefined => connections.seatOf(socket).client;
    const acceptSecure = secure?.acceptFor(serve, handshakes, clientOf);
    server.on('connection', (socket) => {
      guardEmitter(socket);
      if (this.#isBanned(socket)) return;
      // Silent connections of other processes go before idle ones of this one.
      const atLeast = this.#options.makeRoom === undefined ? IDLE : SILENT;
      if (this.#options.connections.admit(socket, atLeast)) enter(socket);
      else void this.#waitForRoom(socket, enter);
    });
    const enter = (socket: Socket): void => {
      this.#settleIn(socket);
      const { handOver } = this.#options;
      const keepHere = (): void => {
        connections.setAway(socket, false);
        take(socket);
        socket.resume();
      };
      if (handOver === undefined) {
        take(socket);
        return;
      }
      connections.setAway(socket, true);
      if (!handOver(socket, keepHere)) keepHere();
    };
    const take = (socket: Socket): void => this.#learnClient(socket, () => read(socket));
    const read = (socket: Socket): void => {
      if (secure === undefined || acceptSecure === undefined) serve(socket);
      else if (secure.required) acceptSecure(socket);
      else this.#sniff(socket, acceptSecure);
    };
    // A socket that is handed over must not have been read from.
    if (this.#options.handOver !== undefined) Object.assign(server, { pauseOnConnect: true });
    return serve;
  }

  /** Reads for whom a trusted proxy has opened a connection, if it says so, and calls `go` when that client is let in. */
  #learnClient(socket: Socket, go: () => void): void {
    const { proxied, connections } = this.#options;
    if (proxied?.proxies.isTrusted(socket.remoteAddress ?? '') !== true) {
      go();
      return;
    }
    this.#unknown.add(socket);
    const judged = (verdict: ClientVerdict): void => {
      this.#unknown.delete(socket);
      if (socket.destroyed) return;
      if (verdict === 'ok') go();
      else socket.resetAndDestroy();
    };
    readProxyHeader(socket, (client) => {
      if (client === undefined) {
        judged('ok');
        return;
      }
      connections.seatOf(socket).client = client;
      const verdict = proxied.gate.enter(socket, client);
      if (verdict instanceof Promise) verdict.then(judged, () => socket.destroy());
      else judged(verdict);
    });
  }

  #sniff(socket: Socket, acceptSecure: (socket: Socket) => void): void {
    this.#unknown.add(socket);
    sniff(socket, (isTls) => {
      this.#unknown.delete(socket);
      if (isTls) acceptSecure(socket);
      else this.#serve(socket);
    });
  }

  #isBanned(socket: Socket): boolean {
    const host = plainHost(socket.remoteAddress ?? '');
    if (this.#options.p2p.banned(host) === undefined) {
      this.#namedBans.delete(host);
      return false;
    }
    this.#nameBan(host);
    socket.resetAndDestroy();
    return true;
  }

  /** Says once in the log that a host of this machine or network is refused: its owner would find the port dead, and not know why. */
  #nameBan(host: string): void {
    if (!isPrivate(host) || this.#namedBans.has(host) || this.#namedBans.size >= MOST_NAMED) return;
    this.#namedBans.add(host);
    this.#options.logger.warn(
      `RPC connections of ${host} are refused: it is ${this.#options.p2p.banNotice(host) ?? 'banned'}`,
    );
  }

  /** Has another process close an idle connection for this one, which waits meanwhile without being read. */
  async #waitForRoom(socket: Socket, enter: (socket: Socket) => void): Promise<void> {
    const { connections, makeRoom } = this.#options;
    const isHopeless = connections.isHostFull(socket) || this.#waiting.size >= MAX_WAITING;
    if (makeRoom === undefined || isHopeless) {
      this.#turnAway(socket);
      return;
    }
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
    let isIn = false;
    // A place that was made may have been taken by another newcomer.
    for (let tries = 0; !isIn && tries < ROOM_TRIES && !socket.destroyed; tries++) {
      const isMade = await makeRoom().catch(() => false);
      if (socket.destroyed) break;
      isIn = connections.admit(socket, isMade ? SILENT : IDLE);
      if (!isMade) break;
    }
    this.#waiting.delete(socket);
    if (isIn) enter(socket);
    else this.#turnAway(socket);
  }

  #turnAway(socket: Socket): void {
    this.#options.logger.debug(`too many connections, ${socket.remoteAddress ?? ''} turned away`);
    socket.destroy();
  }

  #settleIn(socket: Socket): void {
    socket.setNoDelay(true);
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unknown.delete(socket);
    });
  }
}

/**
 * Waits for the first byte of a connection and passes to `decide` whether it begins a TLS handshake. The bytes read
 * are put back. A connection that stays silent, ends or fails before is closed without calling `decide`.
 */
function sniff(socket: Socket, decide: (isTls: boolean) => void): void {
  const look = (): void => {
    const first = socket.read() as Buffer | null;
    socket.off('timeout', giveUp);
    socket.setTimeout(0);
    if (first === null) {
      giveUp();
      return;
    }
    socket.unshift(first);
    decide(first[0] === TLS_HANDSHAKE);
  };
  const giveUp = (): void => {
    socket.destroy();
  };
  socket.on('error', () => undefined);
  socket.setTimeout(SILENCE_MS);
  socket.once('timeout', giveUp);
  socket.once('readable', look);
}
