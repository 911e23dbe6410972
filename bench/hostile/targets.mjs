// The targets of a node under attack.
const MAX_STALL_MS = { p2p: 50, ws: 50, rpc: 100, zmq: 100, nats: 50 };
const MAX_INFO_MS = 250;
const MAX_MEMORY_MB = 700;
/** How much longer than those of monerod innocent clients of ours may wait, milliseconds. */
const MAX_BEHIND_MS = 50;

const CLIENTS = { getInfo: 'get_info', newClient: 'get_info of a new client', peer: 'ping' };

/** Returns the targets that our node missed, as text. */
export function misses({ kind, maxBlockMs, ours, monerod }) {
  const missed = [];
  const atMost = (what, value, limit, unit) => {
    if (value > limit) missed.push(`${what} ${value.toFixed(0)} ${unit} > ${limit.toFixed(0)}`);
  };
  if (ours.crashed) missed.push('the node ended');
  atMost('stall', ours.stallAlone, MAX_STALL_MS[kind], 'ms');
  atMost('get_info', ours.getInfo.worst, MAX_INFO_MS, 'ms');
  if (ours.block) {
    atMost('a block on top', ours.block.worst, maxBlockMs, 'ms');
    if (ours.block.failed > 0) missed.push(`${ours.block.failed} × no answer to a miner`);
  }
  atMost('memory', ours.memory, MAX_MEMORY_MB, 'MB');
  for (const [client, name] of Object.entries(CLIENTS)) {
    if (ours[client].failed > 0) missed.push(`${ours[client].failed} × no answer to ${name}`);
    const theirs = monerod?.[client];
    if (theirs && theirs.failed === 0 && theirs.worst !== null)
      atMost(`${name} behind monerod's:`, ours[client].worst, theirs.worst + MAX_BEHIND_MS, 'ms');
  }
  return missed;
}
