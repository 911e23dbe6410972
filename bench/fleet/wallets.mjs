// Keeps connections to a balancer as wallets do: from many addresses, each with a request now and then, one at a time.
//
//   node wallets.mjs PORT CONNECTIONS ADDRESSES SECONDS [tls]
//
// ADDRESSES are of 127.64.0.0/10. SECONDS lie between two requests of a connection. It answers each message of its parent with what happened since the last one.
import { connect } from 'node:net';
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { LOOPBACK } from '../programs.mjs';

const [port = 0, connections = 0, addresses = 0, seconds = 0] = argv.slice(2, 6).map(Number);
const isTls = argv[6] === 'tls';
const REQUEST = Buffer.from('GET /get_height HTTP/1.1\r\nHost: fleet\r\n\r\n');
/** Milliseconds after which an answer is late. */
const LATE_MS = 5000;
/** Connections made in a second at the start. */
const PACE = 1000;

/** The same addresses in every run, without a pattern. @param {number} i */
const addressOf = (i) => {
  const mixed = Math.imul((i % addresses) + 1, 0x9e3779b1) >>> 10;
  return `127.${64 + (mixed >>> 16)}.${(mixed >>> 8) & 255}.${mixed & 255}`;
};
const counts = { open: 0, answered: 0, failed: 0, late: 0, closed: 0, slowest: 0 };
/** What was wrong, for the first few. @type {string[]} */
const problems = [];
/** The addresses that each node serves. @type {Map<string, Set<string>>} */
const served = new Map();
/** @type {Map<string, string>} */
const nodeOf = new Map();
let moved = 0;

/** @param {string} head @param {string} address */
function count(head, address) {
  counts.answered++;
  const [, node = 'none'] = /x-fleet-node: (\S+)/i.exec(head) ?? [];
  if (!head.startsWith('HTTP/1.1 200')) {
    counts.failed++;
    if (problems.length < 5) problems.push(head.slice(0, 40));
    return;
  }
  const before = nodeOf.get(address);
  if (before === node) return;
  if (before !== undefined) moved++;
  served.get(before ?? '')?.delete(address);
  nodeOf.set(address, node);
  served.set(node, (served.get(node) ?? new Set()).add(address));
}

/** One wallet: a connection that is made again when it ends. @param {number} i */
function open(i) {
  const localAddress = addressOf(i);
  const to = { host: LOOPBACK, port, localAddress };
  const socket = isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
  let asked = 0;
  let isOpen = false;
  let isFirst = true;
  const ask = () => {
    asked = performance.now();
    socket.write(REQUEST);
  };
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    counts.open++;
    isOpen = true;
    // A client has ten seconds for its first request.
    ask();
  });
  socket.on('data', (bytes) => {
    // Answers are far shorter than a segment of loopback.
    const took = performance.now() - asked;
    counts.slowest = Math.max(counts.slowest, took);
    if (took > LATE_MS) counts.late++;
    count(bytes.toString('latin1'), localAddress);
    asked = 0;
    clearTimeout(timer);
    // The second request is somewhere in the time between two, so that not all ask together.
    timer = setTimeout(ask, seconds * 1000 * (isFirst ? (i * 0.618) % 1 : 1));
    isFirst = false;
  });
  socket.on('error', (error) => {
    if (problems.length < 5) problems.push(error.message);
  });
  socket.once('close', () => {
    clearTimeout(timer);
    if (isOpen) counts.open--;
    counts.closed++;
    if (asked !== 0) counts.failed++;
    setTimeout(() => open(i), 1000);
  });
}

process.on('message', () => {
  const shares = Object.fromEntries([...served].map(([node, of]) => [node, of.size]));
  process.send?.({ ...counts, moved, shares, problems });
  Object.assign(counts, { answered: 0, failed: 0, late: 0, closed: 0, slowest: 0 });
  moved = 0;
});
process.once('disconnect', () => process.exit());
for (let i = 0; i < connections; i++) {
  open(i);
  if (i % (PACE / 20) === 0) await sleep(50);
}
