import { createServer, connect as connectSocket } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { guardEmitter, guardServer } from '@monero-node/base';
import { formatPeerAddress } from '../net/address.ts';
import { unmapped } from '../net/ip-address.ts';
import { ipAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import type { StreamHandlers, Transport, TransportListener, TransportStream } from './transport.ts';

/** Pending connections that the system queues for us. */
const BACKLOG = 128;

class TcpStream implements TransportStream {
  readonly remote: NetAddress;
  readonly #socket: Socket;

  constructor(socket: Socket, remote: NetAddress) {
    this.remote = remote;
    this.#socket = socket;
    socket.setNoDelay(true);
  }

  open(handlers: StreamHandlers): void {
    const socket = this.#socket;
    if (socket.destroyed) {
      queueMicrotask(() => handlers.onClose());
      return;
    }
    socket.on('data', (chunk: Uint8Array) => handlers.onData(chunk));
    socket.on('drain', () => handlers.onDrain());
    socket.once('close', () => handlers.onClose());
    socket.resume();
  }

  write(bytes: Uint8Array): boolean {
    return this.#socket.writable ? this.#socket.write(bytes) : true;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** Returns a stream over a connected socket whose peer has the address `remote`. */
export function socketStream(socket: Socket, remote: NetAddress): TransportStream {
  return new TcpStream(socket, remote);
}

/** Returns the transport for plain TCP. */
export function createTcpTransport(): Transport {
  return { connect: connectTcp, listen: listenTcp };
}

function connectTcp(
  address: NetAddress,
  options: { timeoutMs: number; signal?: AbortSignal },
): Promise<TransportStream> {
  if (address.kind !== 'ipv4' && address.kind !== 'ipv6')
    return Promise.reject(new Error(`${formatPeerAddress(address)} is not reachable over TCP`));
  return new Promise((resolve, reject) => {
    const socket = guardEmitter(connectSocket({ host: address.host, port: address.port }));
    const fail = (error: Error): void => {
      settle();
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(new Error('connecting was aborted'));
    const timer = setTimeout(() => fail(new Error('connecting timed out')), options.timeoutMs);
    timer.unref();
    const settle = (): void => {
      clearTimeout(timer);
      socket.off('error', fail).off('connect', succeed);
      options.signal?.removeEventListener('abort', onAbort);
    };
    const succeed = (): void => {
      settle();
      resolve(new TcpStream(socket, address));
    };
    socket.once('error', fail);
    socket.once('connect', succeed);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted) onAbort();
  });
}

function listenTcp(
  address: { host: string; port: number; ipv6Only?: boolean },
  onStream: (stream: TransportStream) => void,
): Promise<TransportListener> {
  return new Promise((resolve, reject) => {
    // A failed accept concerns one peer only.
    const server = guardServer(
      createServer((socket) => {
        const remote = ipAddress(socket.remoteAddress ?? '', socket.remotePort ?? 0);
        if (remote) onStream(new TcpStream(socket, unmapped(remote)));
        else socket.destroy();
      }),
    );
    server.once('error', reject);
    const { host, port, ipv6Only = false } = address;
    server.listen({ host, port, ipv6Only, backlog: BACKLOG }, () => {
      server.removeListener('error', reject);
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}
