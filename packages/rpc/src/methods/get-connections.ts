import type { HandlerOf } from '../method.ts';
import { connectionAnswer } from '../peers/connection-info.ts';

/** Returns the open connections to peers. */
export const getConnections: HandlerOf<'getConnections'> = (_request, { p2p }) => ({
  connections: p2p.connections().map(connectionAnswer),
});
