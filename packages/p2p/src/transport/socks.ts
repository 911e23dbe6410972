import { connect as connectSocket } from 'node:net';
import type { Socket } from 'node:net';
import { guardEmitter } from '@monero-node/base';
import { checkOptions } from '@monero-node/base/options';
import { parseIp } from '../hosts/index.ts';
import type { SocksClient, SocksClientOptions } from 'socks';
import { formatPeerAddress } from '../net/address.ts';
import type { HostPort } from '../net/parse-address.ts';
import type { SocksEndpoint } from '../net/socks-endpoint.ts';
import { SOCKS_OPTIONS } from '../net/socks-options.ts';
import { createTcpTransport, socketStream } from './tcp.ts';
import type { Transport } from './transport.ts';

/**
 * Returns the transport through a SOCKS proxy. The proxy looks up host names; IPv6 targets need SOCKS 5. Listening
 * bypasses the proxy and uses TCP, because hidden services forward their connections to a local port.
 * Throws OptionError for a missing or an unknown option of the proxy, and Error, from `connect`, in the same cases as
 * {@link connectThroughSocks}.
 * Source: client in src/net/socks.cpp
 */
export function createSocksTransport(proxy: SocksEndpoint): Transport {
  checkOptions('createSocksTransport', proxy, SOCKS_OPTIONS);
  return {
    connect: async (address, options) => {
      if (!canReach(proxy, address.host)) throw unreachable(proxy, formatPeerAddress(address));
      return socketStream(await connectSocks(proxy, address, options), address);
    },
    listen: createTcpTransport().listen,
  };
}

/** Limits on the wait for a connection. */
export interface SocksConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Connects to a host, which may be a name, through a proxy. The socket is paused, so that no early data is lost.
 * Throws Error when the proxy cannot be reached, cannot reach the host, or does not know its kind of address.
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
  const kind = parseIp(host)?.kind();
  return proxy.version === '5' || kind === 'ipv4' || (proxy.version === '4a' && kind === undefined);
}

function unreachable(proxy: SocksEndpoint, address: string): Error {
  return new Error(`${address} is not reachable over SOCKS ${proxy.version}`);
}

/** Loads the library of SOCKS, which the first connection would load otherwise. Rejects when it is missing or damaged. */
export async function loadSocks(): Promise<void> {
  await import('socks');
}

async function connectSocks(
  proxy: SocksEndpoint,
  target: Readonly<HostPort>,
  options: SocksConnectOptions,
): Promise<Socket> {
  // Not loaded with this file, because most nodes have no proxy.
  const { SocksClient } = await import('socks');
  options.signal?.throwIfAborted();
  const client = guardEmitter(new SocksClient(clientOptions(proxy, target, options.timeoutMs)));
  const socket = guardEmitter(connectSocket({ host: proxy.host, port: proxy.port }));
  const giveUp = (): void => void socket.destroy();
  const timer = setTimeout(giveUp, options.timeoutMs);
  timer.unref();
  options.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await connected(socket);
    await negotiate(socket, client);
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

function clientOptions(
  proxy: SocksEndpoint,
  target: Readonly<HostPort>,
  timeout: number,
): SocksClientOptions {
  return {
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
}

/** Asks the proxy for the connection. Afterwards the socket is paused and all early data is still in it. */
function negotiate(socket: Socket, client: SocksClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.once('established', () => {
      // The library resumes the socket one turn later and emits the data behind the proxy's answer, even when there
      // is no listener yet.
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
