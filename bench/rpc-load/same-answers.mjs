// Compares the answers of two daemons to the requests of a call, so that only equal work is measured.
import { decodeStorage } from '@monero-node/codec/portable-storage';
import { LOOPBACK } from '../programs.mjs';

/**
 * @import { Daemon } from '../nodes.mjs'
 * @import { Call } from './calls.mjs'
 */

/** Requests of a call that are compared. */
const COMPARED = 5;
/**
 * Members that are a node's own or known to differ (docs/reference/rpc-differences.md): monerod leaves the hashes of prunable parts
 * empty, no release of it sends top_block_hash, and an answer has the amounts of outputs only from ours.
 */
const OWN = new Set([
  ...['adjusted_time', 'database_size', 'free_space', 'rpc_connections_count', 'start_time'],
  ...['version', 'daemon_time', 'credits', 'top_hash', 'top_block_hash', 'prunable_hash', 'amount'],
]);

/**
 * @param {Daemon} node
 * @param {Call} call
 * @param {Buffer} body
 */
async function answerOf({ rpcPort }, { path }, body) {
  const answer = await fetch(`http://${LOOPBACK}:${rpcPort}${path}`, { method: 'POST', body });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const value = path.endsWith('.bin') ? decodeStorage(bytes) : JSON.parse(bytes.toString());
  return { value, bytes: bytes.length };
}

/**
 * Returns a value as text, without the members that may differ.
 *
 * @param {unknown} value
 */
function comparable(value) {
  return JSON.stringify(value, (name, given) => {
    if (OWN.has(name)) return undefined;
    if (typeof given === 'bigint') return String(given);
    if (given instanceof Uint8Array) return Buffer.from(given).toString('hex');
    if (!(given instanceof Map)) return given;
    return Object.fromEntries([...given].sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * Throws Error unless both daemons give the same answer, which is no error, to the first requests of a call.
 *
 * @param {readonly Daemon[]} nodes
 * @param {Call} call
 */
export async function requireSameAnswers([ours, theirs], call) {
  if (ours === undefined || theirs === undefined) return;
  for (const body of call.bodies.slice(0, COMPARED)) {
    const [a, b] = [await answerOf(ours, call, body), await answerOf(theirs, call, body)];
    const [left, right] = [comparable(a.value), comparable(b.value)];
    if (left.includes('"error"') || right.includes('"error"')) {
      throw new Error(`${call.name}: an answer is an error: ${left.slice(0, 200)}`);
    }
    if (left === right) continue;
    let at = 0;
    while (left[at] === right[at]) at++;
    /** @param {string} text */
    const around = (text) => text.slice(Math.max(0, at - 60), at + 60);
    throw new Error(`${call.name}: the answers differ: …${around(left)}… and …${around(right)}…`);
  }
}
