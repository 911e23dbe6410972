import type { Socket } from 'node:net';
import type { HostPort } from '../net/parse-address.ts';
import type { SocksEndpoint } from '../net/socks-endpoint.ts';
import { connectThroughSocks } from './socks.ts';

const CONNECT_MS = 15_000;

/**
 * Returns a function that connects to servers that do not send first, such as those of HTTP, through a proxy. The proxy
 * resolves host names: a look-up here would reveal the destination. The function throws Error as
 * {@link connectThroughSocks} does.
 */
export function dialThroughSocks(
  proxy: SocksEndpoint,
): (target: Readonly<HostPort>) => Promise<Socket> {
  return async (target) => {
    const socket = await connectThroughSocks(proxy, target, { timeoutMs: CONNECT_MS });
    // No data is lost: the server waits for the request.
    return socket.resume();
  };
}
