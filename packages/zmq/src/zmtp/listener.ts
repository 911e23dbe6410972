import { ByteBudget, guardServer, Seats } from '@monero-node/base';
import { unbracketed } from '@monero-node/p2p/hosts';
import { once } from 'node:events';
import { lstatSync, unlinkSync } from 'node:fs';
import {
  createServer,
  type AddressInfo,
  type ListenOptions,
  type Server,
  type Socket,
} from 'node:net';
import { networkInterfaces } from 'node:os';
import { ZmtpConnection, type ZmtpRole } from './connection.ts';
import { ZMTP_LIMITS, type ZmtpLimits } from './limits.ts';

/** Bytes that each connection may hold even when all together hold too many. */
const FAIR_SHARE_BYTES = 64 * 1024;
/** Time that what is still unsent gets when the server stops, milliseconds. */
const LINGER_MS = 1000;

/** Listens for ZMTP peers at any number of addresses, which share the limits. */
export class ZmtpListener {
  readonly #role: ZmtpRole;
  readonly #limits: ZmtpLimits;
  readonly #received: ByteBudget;
  readonly #servers: Server[] = [];
  readonly #connections: Seats<ZmtpConnection>;

  constructor(role: Omit<ZmtpRole, 'onClose'>, limits: ZmtpLimits = ZMTP_LIMITS) {
    this.#role = { ...role, onClose: (connection) => this.#connections.leave(connection) };
    this.#limits = limits;
    const { connections: total, connectionsPerHost } = limits;
    this.#connections = new Seats<ZmtpConnection>(
      { total, perHost: () => connectionsPerHost, fullHost: 'replaces' },
      (connection) => connection.close(),
    );
    this.#received = new ByteBudget({ limit: limits.receivedBytes, fairShare: FAIR_SHARE_BYTES });
  }

  /** The open connections, the oldest first. */
  get connections(): ReadonlySet<ZmtpConnection> {
    return this.#connections.all;
  }

  /**
   * Listens at `tcp://host:port` (`*` for any host or port, or the name of a network interface as host) or
   * `ipc://path`. Returns the address with the port chosen. Rejects for another form and when it cannot be bound.
   */
  async bind(address: string): Promise<string> {
    const server = guardServer(
      createServer((socket) => {
        this.#accept(socket);
      }),
    );
    this.#servers.push(server);
    const options = listenOptions(address);
    if (options.path !== undefined) removeOldSocket(options.path);
    server.listen(options);
    // Rejects with the first error instead.
    await once(server, 'listening');
    const bound = server.address() as AddressInfo | string;
    if (typeof bound === 'string') return address;
    const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
    return `tcp://${host}:${bound.port}`;
  }

  /** Listens no more and closes every connection when what it is sent has left, or after a moment. */
  close(): void {
    for (const server of this.#servers.splice(0)) server.close();
    for (const connection of this.connections) connection.closeGently(LINGER_MS);
  }

  #accept(socket: Socket): void {
    const { role, limits, received } = {
      role: this.#role,
      limits: this.#limits,
      received: this.#received,
    };
    const connection = new ZmtpConnection(socket, { role, limits, received });
    if (!this.#connections.enter(connection)) connection.close();
  }
}

function listenOptions(address: string): ListenOptions {
  const ipc = /^ipc:\/\/(.+)$/.exec(address)?.[1];
  // Linux has sockets without a file; libzmq writes them with an @.
  if (ipc !== undefined) return { path: ipc.replace(/^@/, '\0') };
  const [, given = '', port = ''] = /^tcp:\/\/(.+):(\d+|\*)$/.exec(address) ?? [];
  const number = port === '*' ? 0 : Number(port);
  if (given === '' || port === '' || number > 65_535) throw new Error('Invalid argument');
  const host = unbracketed(given);
  if (host === '*') return { port: number };
  return { port: number, host: networkInterfaces()[host]?.[0]?.address ?? host };
}

/** A process that was killed leaves its socket behind. Any other file stays, and the address cannot be bound. */
function removeOldSocket(path: string): void {
  if (path.startsWith('\0')) return;
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) unlinkSync(path);
}
