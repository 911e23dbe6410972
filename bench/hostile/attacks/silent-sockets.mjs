// Row 14: connections that send nothing take the places of the RPC listener.
import { once } from 'node:events';
import { connect } from 'node:net';
import { count, crowd } from '../crowd.mjs';

/** @import { Attack } from '../attack.d.ts' */

const SOCKETS = 130;

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: '14',
    kind: 'rpc',
    what: `${SOCKETS} silent connections to the RPC`,
    run: ({ ports }, counts) =>
      crowd(SOCKETS, counts, async (address) => {
        const socket = connect({ host: '127.0.0.1', port: ports.rpc, localAddress: address });
        await once(socket, 'connect');
        count(counts, 'connections');
        socket.on('error', () => {}).resume();
        await once(socket, 'close');
      }),
  },
];
