// Sends the recorded chain to a node and floods it with the recorded transactions, as peers do.
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMAND, notify, Peer } from '../hostile/peer.mjs';
import { body, bool, strings } from '../hostile/storage.mjs';
import { cpuSeconds, waitFor } from '../programs.mjs';
import { memoryOf } from '../process-use.mjs';

/** Peers that send at the same time, each from an address of its own. */
const PEERS = 4;
const TXS_PER_MESSAGE = 20;
/** Transactions that may be on their way: neither node has to hold many that wait. */
const AHEAD = 2000;
const POLL_MS = 200;
/** Milliseconds without progress after which the flood has failed. */
const PATIENCE_MS = 60_000;

const addressOf = (peer) => `127.0.0.${peer + 3}`;

/** Returns the part of get_info by which a peer of the node describes its chain. */
async function chainOf(node) {
  const info = await node.info();
  return { height: info.height, topHash: info.top_block_hash };
}

/** Connects a peer with the same chain, without which a node does not count as synchronized. */
export async function befriend(node, from = '127.0.0.2') {
  const port = Number(node.peer.split(':')[1]);
  const peer = await Peer.open(port, from, await chainOf(node));
  const isReady = async () => (await node.info()).synchronized;
  await waitFor(node.program, 'synchronisation', isReady);
  return peer;
}

/** Submits blocks one by one. Throws Error when the node refuses one. */
export async function giveChain(node, blobs) {
  const peer = await befriend(node);
  for (const blob of blobs) {
    const { status } = await node.rpc.call('submit_block', [blob.toString('hex')]);
    if (status !== 'OK') throw new Error(`${node.name} refuses a block: ${status}`);
  }
  peer.close();
}

/**
 * Sends transactions to a node until all are in its pool. Returns seconds, CPU seconds, memory and the size of the pool.
 *
 * Throws Error when the pool stops growing.
 */
export async function flood(node, blobs, say) {
  const peers = await Promise.all(
    Array.from({ length: PEERS }, (_, i) => befriend(node, addressOf(i))),
  );
  const before = { at: performance.now(), cpu: cpuSeconds(node.program.pid) };
  const sizeBefore = (await node.info()).tx_pool_size;
  const progress = { admitted: 0, at: performance.now() };
  const isOver = () => progress.admitted >= blobs.length;
  let next = 0;
  const send = async (_, i) => {
    while (!isOver()) {
      if (peers[i].isClosed) {
        // monerod ends long connections. Messages that were on their way are sent again; the pool ignores transactions that it has.
        peers[i] = await befriend(node, addressOf(i));
        next = Math.max(0, next - AHEAD);
      }
      if (next >= blobs.length || next - progress.admitted > AHEAD) {
        await sleep(POLL_MS / 4);
        continue;
      }
      const txs = blobs.slice(next, (next += TXS_PER_MESSAGE));
      const fields = [bool('dandelionpp_fluff', true), strings('txs', txs)];
      await peers[i].send(notify(COMMAND.newTransactions, body(fields)));
    }
  };
  const watch = async () => {
    for (let polls = 1; !isOver(); polls++) {
      await sleep(POLL_MS);
      const admitted = (await node.info()).tx_pool_size - sizeBefore;
      if (admitted > progress.admitted)
        Object.assign(progress, { admitted, at: performance.now() });
      else if (performance.now() - progress.at > PATIENCE_MS)
        throw new Error(`${node.name} has only ${admitted} of ${blobs.length} transactions`);
      if (polls % 100 === 0) say(`${node.name}: ${admitted} transactions`);
    }
  };
  try {
    await Promise.all([watch(), ...peers.map(send)]);
  } finally {
    for (const peer of peers) peer.close();
  }
  const seconds = (performance.now() - before.at) / 1000;
  const cpu = cpuSeconds(node.program.pid) - before.cpu;
  return { transactions: blobs.length, seconds, cpu, memory: memoryOf(node.program.pid) };
}
