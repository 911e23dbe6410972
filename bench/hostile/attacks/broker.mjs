// A NATS server to which the node publishes events, and which lies: about its limits, without end, and in floods.
import { createServer } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers';
import { LOOPBACK } from '../../programs.mjs';
import { count } from '../crowd.mjs';

/**
 * @import { Socket } from 'node:net'
 * @import { Attack, Counts } from '../attack.d.ts'
 */
/**
 * What is done to a connection.
 *
 * @typedef {(socket: Socket, counts: Counts) => void} OnConnection
 */

const INFO = { server_id: 'x', version: '2.10.0', proto: 1, headers: true, jetstream: true };
/** @param {number} maxPayload */
const info = (maxPayload) => `INFO ${JSON.stringify({ ...INFO, max_payload: maxPayload })}\r\n`;
const SOUND = info(1_048_576);
const FLOOD_BYTES = 65_536;
/** Milliseconds until a connection ends that the node has not closed. */
const CONNECTION_MS = 1500;

/**
 * Sends a text again and again, as fast as the node reads.
 *
 * @param {Socket} socket
 * @param {string} text
 * @param {Counts} counts
 */
function flood(socket, text, counts) {
  const chunk = Buffer.from(text.repeat(Math.ceil(FLOOD_BYTES / text.length)));
  const more = () => {
    if (socket.destroyed) return;
    count(counts, 'chunks');
    if (socket.write(chunk)) setImmediate(more);
    else socket.once('drain', more);
  };
  more();
}

/**
 * Makes the node believe that it is connected, then does something to it.
 *
 * @type {(attack: OnConnection) => OnConnection}
 */
const connected = (attack) => (socket, counts) => {
  socket.write(SOUND);
  socket.once('data', () => {
    socket.write('PONG\r\n');
    // From now on it reads nothing.
    socket.pause();
    count(counts, 'connected');
    attack(socket, counts);
  });
};

/**
 * The attacks on one connection after another.
 *
 * @type {readonly OnConnection[]}
 */
const ATTACKS = [
  connected((socket, counts) =>
    flood(socket, 'MSG monero.regtest.backfill 1 answer 0\r\n\r\n', counts),
  ),
  connected((socket, counts) => flood(socket, 'PING\r\n', counts)),
  connected((socket, counts) => flood(socket, "-ERR 'no'\r\n", counts)),
  connected((socket, counts) => flood(socket, 'MSG x 1 0\r\n\r\n', counts)),
  connected((socket) => socket.write(`INFO {"max_payload":-1}\r\n`)),
  connected((socket, counts) => {
    socket.write('MSG x 1 99999999999\r\n');
    flood(socket, 'x'.repeat(1000), counts);
  }),
  (socket, counts) => {
    socket.write('INFO {"a":"');
    flood(socket, 'x'.repeat(1000), counts);
  },
  ...[-1, 0, 1, 2 ** 31].map(
    (bytes) => (/** @type {Socket} */ socket) => void socket.write(info(bytes)),
  ),
  (socket, counts) => flood(socket, '\u0000', counts),
];

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: 'nats',
    kind: 'nats',
    what: 'a NATS server with false limits, endless lines and floods',
    run: ({ ports }, counts) =>
      new Promise(() => {
        const server = createServer((socket) => {
          socket.on('error', () => {});
          const connections = count(counts, 'connections');
          setTimeout(() => socket.destroy(), CONNECTION_MS);
          ATTACKS[(connections - 1) % ATTACKS.length]?.(socket, counts);
        });
        server.listen(ports.nats, LOOPBACK);
      }),
    judge: ({ connections = 0 }) => (connections >= 5 ? [] : ['the node did not come back']),
  },
];
