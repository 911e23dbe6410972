import type { P2pNodeInfo } from '@monero-node/p2p';
import type { ConnectionCounter } from './connection-limits.ts';
import type { ClientGate } from './client-gate.ts';

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
