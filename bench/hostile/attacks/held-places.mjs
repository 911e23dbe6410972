// Connections that hold places other than those of the RPC: of the metrics, of the event streams of the public page, and of the
// RPC with worker processes. An innocent visitor, in the process of the attack, counts how often it is let in.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../values.mjs';
import { count, crowd } from '../crowd.mjs';

/** @import { Attack, Counts } from '../attack.d.ts' */

const SILENT = 40;
const HOSTS_WITH_STREAMS = 16;
const STREAMS_PER_HOST = 3;
const RPC_SOCKETS = 130;
const VISITOR = '127.0.0.9';
const VISIT_MS = 500;
const PATIENCE_MS = 20_000;
/** Worker processes load their modules meanwhile, which counts as a stall: they inherit what reports those. */
const WORKERS_START_MS = 6000;

/** @param {string} path */
const get = (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

/**
 * @param {number} port
 * @param {string} localAddress
 */
async function open(port, localAddress) {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

/**
 * Resolves when the node closes the connection.
 *
 * @param {number} port
 * @param {string} address
 * @param {Counts} counts
 */
async function hold(port, address, counts, bytes = '') {
  const socket = await open(port, address);
  count(counts, 'connections');
  socket.write(bytes);
  socket.resume();
  await once(socket, 'close');
}

/**
 * Asks on a new connection now and then, and counts the answers with status 200 and all else.
 *
 * @param {number} port
 * @param {string} path
 * @param {Counts} counts
 */
async function visit(port, path, counts) {
  for (;;) {
    const socket = await open(port, VISITOR);
    const first = once(socket, 'data').then(
      ([bytes]) => bytes.toString('latin1'),
      () => '',
    );
    const ended = once(socket, 'close').then(() => '');
    socket.write(get(path));
    const text = await Promise.race([first, ended, sleep(PATIENCE_MS, '')]);
    count(counts, text.startsWith('HTTP/1.1 200') ? 'visits' : 'turned away');
    socket.destroy();
    await sleep(VISIT_MS);
  }
}

/** @param {Counts} counts */
const judge = ({ 'turned away': turnedAway = 0, visits = 0 }) => {
  if (turnedAway > 0) return [`${turnedAway} × a visitor turned away`];
  return visits > 0 ? [] : ['nobody was let in'];
};

/** @type {readonly Attack[]} */
export const attacks = [
  {
    id: 'metrics',
    kind: 'rpc',
    judge,
    only: 'ours',
    why: 'no metrics',
    what: `${SILENT} silent connections to the metrics port`,
    options: ({ metrics }) => ['--metrics-bind-port', String(metrics)],
    run: ({ ports }, counts) => {
      const port = present(ports.metrics);
      void visit(port, '/metrics', counts);
      return crowd(SILENT, counts, (address) => hold(port, address, counts));
    },
  },
  {
    id: 'streams',
    kind: 'rpc',
    judge,
    only: 'ours',
    why: 'no web page',
    what: `${HOSTS_WITH_STREAMS * STREAMS_PER_HOST} held event streams of the public page`,
    options: () => ['--rpc-page', 'all'],
    run: ({ ports }, counts) => {
      void visit(ports.restricted, '/page/events', counts);
      const bytes = get('/page/events');
      return crowd(HOSTS_WITH_STREAMS, counts, (address) =>
        Promise.all(
          Array.from({ length: STREAMS_PER_HOST }, () =>
            hold(ports.restricted, address, counts, bytes),
          ),
        ),
      );
    },
  },
  {
    id: 'workers',
    kind: 'rpc',
    judge,
    what: `${RPC_SOCKETS} silent connections to the RPC with two workers`,
    settleMs: WORKERS_START_MS,
    options: () => ['--rpc-workers', '2'],
    run: ({ ports }, counts) => {
      void visit(ports.rpc, '/get_height', counts);
      return crowd(RPC_SOCKETS, counts, (address) => hold(ports.rpc, address, counts));
    },
  },
];
