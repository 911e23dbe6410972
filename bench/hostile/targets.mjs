// The targets of a node under attack.

/**
 * @import { Kind } from './attack.d.ts'
 * @import { Figures, Skipped } from './measure.mjs'
 */

/** @type {Record<Kind, number>} */
const MAX_STALL_MS = { p2p: 50, ws: 50, rpc: 100, zmq: 100, nats: 50 };
const MAX_INFO_MS = 250;
const MAX_MEMORY_MB = 700;
/** How much longer than those of monerod innocent clients of ours may wait, milliseconds. */
const MAX_BEHIND_MS = 50;

/** @type {readonly ['getInfo' | 'newClient' | 'peer', string][]} */
const CLIENTS = [
  ['getInfo', 'get_info'],
  ['newClient', 'get_info of a new client'],
  ['peer', 'ping'],
];

/**
 * Returns the targets that our node missed, as text.
 *
 * @param {{ kind: Kind, maxBlockMs: number | undefined, ours: Figures, monerod: Figures | Skipped | undefined }} row
 */
export function misses({ kind, maxBlockMs, ours, monerod }) {
  const theirs = monerod && 'skipped' in monerod ? undefined : monerod;
  /** @type {string[]} */
  const missed = [];
  /** @type {(what: string, value: number | null, limit: number, unit: string) => void} */
  const atMost = (what, value, limit, unit) => {
    if (value !== null && value > limit)
      missed.push(`${what} ${value.toFixed(0)} ${unit} > ${limit.toFixed(0)}`);
  };
  if (ours.crashed) missed.push('the node ended');
  atMost('stall', ours.stallAlone, MAX_STALL_MS[kind], 'ms');
  atMost('get_info', ours.getInfo.worst, MAX_INFO_MS, 'ms');
  if (ours.block) {
    atMost('a block on top', ours.block.worst, maxBlockMs ?? Infinity, 'ms');
    if (ours.block.failed > 0) missed.push(`${ours.block.failed} × no answer to a miner`);
  }
  atMost('memory', ours.memory, MAX_MEMORY_MB, 'MB');
  for (const [client, name] of CLIENTS) {
    if (ours[client].failed > 0) missed.push(`${ours[client].failed} × no answer to ${name}`);
    const other = theirs?.[client];
    if (other && other.failed === 0 && other.worst !== null)
      atMost(`${name} behind monerod's:`, ours[client].worst, other.worst + MAX_BEHIND_MS, 'ms');
  }
  return missed;
}
