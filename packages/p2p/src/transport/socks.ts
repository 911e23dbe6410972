import { connect as connectSocket, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import type { SocksClientOptions } from 'socks';
import { formatPeerAddress } from '../net/address.ts';
import type { HostPort } from '../net/address.ts';
import type { SocksEndpoint } from '../net/socks-endpoint.ts';
import { createTcpTransport, socketStream } from './tcp.ts';
import type { Transport } from './transport.ts';

/**
 * Connections through a SOCKS proxy, host names included, which the proxy looks up
 * (`src/net/socks.cpp`). IPv6 targets need SOCKS 5. Listening goes past the proxy, over TCP: that is
 * where a hidden service forwards its connections to.
 */
export function createSocksTransport(proxy: SocksEndpoint): Transport {
  return {
    connect: async (address, options) => {
      if (!canReach(proxy, address.host)) throw unreachable(proxy, formatPeerAddress(address));
      return socketStream(await connectSocks(proxy, address, options), address);
    },
    listen: createTcpTransport().listen,
  };
}

/** How long to wait for a connection, and what ends the wait. */
export interface SocksConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * A connection to a host, which may be a name, through a proxy. The socket is paused, so that nothing
 * that the host says at once is lost.
 *
 * @throws Error when the proxy or, by its account, the host cannot be reached.
 */
export async function connectThroughSocks(
  proxy: SocksEndpoint,
  target: Readonly<HostPort>,
  options: SocksConnectOptions,
): Promise<Socket> {
  if (!canReach(proxy, target.host)) throw unreachable(proxy, target.host);
  return connectSocks(proxy, target, options);
}

function canReach(proxy: SocksEndpoint, host: string): boolean {
  const family = isIP(host);
  return proxy.version === '5' || family === 4 || (proxy.version === '4a' && family === 0);
}

function unreachable(proxy: SocksEndpoint, address: string): Error {
  return new Error(`${address} is not reachable over SOCKS ${proxy.version}`);
}

async function connectSocks(
  proxy: SocksEndpoint,
  target: Readonly<HostPort>,
  options: SocksConnectOptions,
): Promise<Socket> {
  options.signal?.throwIfAborted();
  const socket = connectSocket({ host: proxy.host, port: proxy.port });
  socket.on('error', () => {}); // every error also ends in 'close'
  const giveUp = (): void => void socket.destroy();
  const timer = setTimeout(giveUp, options.timeoutMs);
  timer.unref();
  options.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await connected(socket);
    await negotiate(socket, proxy, target, options.timeoutMs);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', giveUp);
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the proxy is not reachable'));
    socket.once('close', onClose);
    socket.once('connect', () => {
      socket.removeListener('close', onClose);
      resolve();
    });
  });
}

/** Asks the proxy for the connection. Afterwards the socket is paused, with nothing of it lost. */
function negotiate(
  socket: Socket,
  proxy: SocksEndpoint,
  target: Readonly<HostPort>,
  timeout: number,
): Promise<void> {
  const options: SocksClientOptions = {
    command: 'connect',
    destination: { host: target.host, port: target.port },
    proxy: {
      host: proxy.host,
      port: proxy.port,
      type: proxy.version === '5' ? 5 : 4,
      ...(proxy.login && { userId: proxy.login.user, password: proxy.login.password }),
    },
    timeout,
  };
  return new Promise((resolve, reject) => {
    const client = new SocksClient(options);
    client.once('error', reject);
    client.once('established', () => {
      // The library resumes the socket a turn later and hands over what came after the proxy's
      // answer, whether or not anyone listens by then.
      const early: Uint8Array[] = [];
      const keep = (chunk: Uint8Array): void => void early.push(chunk);
      socket.on('data', keep);
      setImmediate(() => {
        socket.pause();
        socket.removeListener('data', keep);
        for (const chunk of early.reverse()) socket.unshift(chunk);
        resolve();
      });
    });
    client.connect(socket);
  });
}
