import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import type { SocksClientOptions } from 'socks';
import { formatAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { SocksEndpoint } from '../net/socks-endpoint.ts';
import { createTcpTransport, socketStream } from './tcp.ts';
import type { Transport, TransportStream } from './transport.ts';

/**
 * Connections through a SOCKS proxy, host names included, which the proxy looks up
 * (`src/net/socks.cpp`). IPv6 targets need SOCKS 5. Listening goes past the proxy, over TCP: that is
 * where a hidden service forwards its connections to.
 */
export function createSocksTransport(proxy: SocksEndpoint): Transport {
  return {
    connect: (address, options) => connectSocks(proxy, address, options),
    listen: createTcpTransport().listen,
  };
}

function canReach(proxy: SocksEndpoint, { kind }: NetAddress): boolean {
  if (proxy.version === '5') return true;
  return kind === 'ipv4' || (proxy.version === '4a' && kind !== 'ipv6');
}

async function connectSocks(
  proxy: SocksEndpoint,
  address: NetAddress,
  options: { timeoutMs: number; signal?: AbortSignal },
): Promise<TransportStream> {
  if (!canReach(proxy, address))
    throw new Error(`${formatAddress(address)} is not reachable over SOCKS ${proxy.version}`);
  options.signal?.throwIfAborted();
  const socket = connectSocket({ host: proxy.host, port: proxy.port });
  socket.on('error', () => {}); // every error also ends in 'close'
  const giveUp = (): void => void socket.destroy();
  const timer = setTimeout(giveUp, options.timeoutMs);
  timer.unref();
  options.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await connected(socket);
    await negotiate(socket, proxy, address, options.timeoutMs);
    return socketStream(socket, address);
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
  address: NetAddress,
  timeout: number,
): Promise<void> {
  const options: SocksClientOptions = {
    command: 'connect',
    destination: { host: address.host, port: address.port },
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
