import { createServer, type Server } from 'node:net';
import { guardServer } from '@monero-node/base';
import { isIpv6 } from '@monero-node/p2p/hosts';

/** An address and a port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Listens on all addresses at the same time, for a moment, as a node at its start does: two that exclude each other are found too.
 * Returns the error of each, undefined where there is none. Whoever connects meanwhile is sent away.
 */
export async function listeningErrors(endpoints: readonly Endpoint[]): Promise<readonly unknown[]> {
  const servers = endpoints.map(() => guardServer(createServer((socket) => void socket.destroy())));
  try {
    const errors: unknown[] = [];
    for (const [i, server] of servers.entries()) {
      const endpoint = endpoints[i];
      errors.push(endpoint && (await listeningError(server, endpoint)));
    }
    return errors;
  } finally {
    await Promise.all(servers.map(closed));
  }
}

function listeningError(server: Server, { host, port }: Endpoint): Promise<unknown> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen({ host, port, ipv6Only: isIpv6(host) }, () => resolve(undefined));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
