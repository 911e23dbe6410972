import { CONNECTION_INFO, connectionAnswer } from '../chain/connection-info.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getConnections = defineMethod({
  names: ['get_connections'],
  summary: 'Lists the connections to peers.',
  restricted: 'hidden',
  base: 'basic',
  request: {},
  response: { connections: f.objects(CONNECTION_INFO) },
  handler: (_request, { p2p }) => ({ connections: p2p.connections().map(connectionAnswer) }),
});
