import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { P2pNodeInfo } from '@monero-node/p2p';
import { forbidden, type Reply, TOO_MANY_CONNECTIONS } from '../answers/reply.ts';
import { ReplySender } from '../answers/send.ts';
import type { ConnectionCounter } from './connection-limits.ts';
import type { ClientConnection } from './connection.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Whether a client behind a proxy is let in: its address may be banned, or have all the connections that it may have. */
export type ClientVerdict = 'ok' | 'banned' | 'full';

/** Counts connections of proxies for the clients that they are used for. */
export interface ClientGate {
  /** The connection is used for a client from now on. */
  enter(socket: Socket, address: string): ClientVerdict | Promise<ClientVerdict>;
  /** The proxy has its connection for itself again. */
  leave(socket: Socket): void;
}

/** The proxy rules of one port. */
export interface ProxiedClients {
  readonly proxies: TrustedProxies;
  readonly gate: ClientGate;
}

const REFUSALS: Readonly<Record<Exclude<ClientVerdict, 'ok'>, Reply>> = {
  banned: { ...forbidden('This address is banned.'), close: true },
  full: TOO_MANY_CONNECTIONS,
};

/**
 * Finds out whose request a connection carries, by `X-Forwarded-For` if a trusted proxy sent it, and lets the request begin.
 * One of a client that is not let in is refused.
 */
export function beginForClient(
  { proxies, gate }: ProxiedClients,
  connection: ClientConnection,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  begin: () => void,
): void {
  const { peer } = connection;
  const { headers, socket } = request;
  const client = proxies.isTrusted(peer)
    ? proxies.clientOf(peer, headers['x-forwarded-for'])
    : peer;
  connection.serve(client);
  if (client === peer) {
    begin();
    return;
  }
  const judged = (verdict: ClientVerdict): void => {
    if (verdict === 'ok') response.once('close', () => gate.leave(socket));
    if (response.destroyed || socket.destroyed) {
      if (verdict === 'ok') gate.leave(socket);
      connection.done();
    } else if (verdict === 'ok') begin();
    else {
      const sent = new ReplySender().send(response, REFUSALS[verdict], []);
      void sent.catch(() => socket.destroy()).finally(() => connection.done());
    }
  };
  const verdict = gate.enter(socket, client);
  if (verdict instanceof Promise) verdict.then(judged, () => socket.destroy());
  else judged(verdict);
}

/** Returns the gate of the process that counts the connections itself. */
export function localGate(
  connections: Pick<ConnectionCounter, 'countFor'>,
  p2p: Pick<P2pNodeInfo, 'banned'>,
): ClientGate {
  return {
    enter: (socket, address) => {
      if (p2p.banned(address) !== undefined) return 'banned';
      return connections.countFor(socket, address) ? 'ok' : 'full';
    },
    leave: (socket) => {
      connections.countFor(socket, undefined);
    },
  };
}
