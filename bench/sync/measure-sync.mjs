import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon } from '../nodes.mjs';
import { cpuSeconds, waitFor } from '../programs.mjs';
import { LatencyProbe } from './latency.mjs';
import { NAME_THREADS, threadCpu, threadCpuBetween } from './thread-cpu.mjs';
import { present } from '../values.mjs';

/**
 * @import { RecordedChain } from '../chain/recorder.mjs'
 * @import { Daemon } from '../nodes.mjs'
 * @import { Start } from '../programs.mjs'
 * @import { Latency } from './latency.mjs'
 * @import { ThreadSeconds } from './thread-cpu.mjs'
 */
/**
 * A height that was seen: when, and the processor time used until then.
 *
 * @typedef {{ height: number, time: number, cpu: number, sourceCpu: number, threads: ThreadSeconds }} Sample
 */
/**
 * Returns the latencies of the answers to requests since a time.
 *
 * @typedef {(since?: number) => Latency} LatencySince
 */
/**
 * Returns the number of transactions in the blocks from a height on.
 *
 * @typedef {(height: number) => number} TransactionsFrom
 */
/**
 * A part of a synchronization.
 *
 * @typedef {NonNullable<ReturnType<typeof stretch>>} Stretch
 */
/**
 * Which node is measured, and whether its RPC is asked all the while how quickly it answers.
 *
 * @typedef {{ name: string, ours?: boolean, extra?: readonly string[], probe: boolean }} Measured
 */
/**
 * What was measured of a node.
 *
 * @typedef {object} SyncResult
 * @property {string} name
 * @property {Stretch | undefined} whole
 * @property {Stretch | undefined} heavy the blocks full of transactions
 * @property {ReturnType<typeof latencies>} [latency]
 * @property {number} databaseBytes
 * @property {number} [longestStall] of the event loop, milliseconds
 */

const POLL_MS = 100;
const NO_PROGRESS_MS = 300_000;

/**
 * Waits until a node has connected to the source. The download of blocks starts at that time.
 *
 * @param {Daemon} node
 * @param {Daemon} source
 */
async function connection(node, source) {
  return waitFor(node.program, 'a connection', async () => {
    const { incoming_connections_count: connections } = await source.info();
    return connections > 0;
  });
}

/**
 * Samples the height of a synchronizing node, with the processor time used so far by it, by its threads and by its source: once at
 * the start and once for every height seen.
 *
 * @param {Daemon} node
 * @param {Daemon} source
 * @param {number} target height
 */
async function watch(node, source, target) {
  /** @type {Sample[]} */
  const samples = [];
  /** @param {number} height */
  const take = (height) =>
    samples.push({
      height,
      time: performance.now(),
      cpu: cpuSeconds(node.program.pid),
      sourceCpu: cpuSeconds(source.program.pid),
      threads: threadCpu(node.program.pid),
    });
  take(1);
  for (;;) {
    await sleep(POLL_MS);
    // Not /get_info: monerod answers that only between two batches of blocks.
    const { count: height } = await node.rpc.call('get_block_count');
    const last = present(samples.at(-1));
    if (height !== last.height) take(height);
    if (height >= target) return samples;
    if (!node.program.alive) throw new Error(`${node.name} ended:\n${node.program.output()}`);
    if (performance.now() - last.time > NO_PROGRESS_MS) {
      throw new Error(`${node.name} is stuck at height ${height}`);
    }
  }
}

/**
 * What was seen of a node. latencySince: of one whose RPC was asked.
 *
 * @typedef {{ samples: Sample[], latencySince?: LatencySince }} Watched
 */

/** @type {(node: Daemon, source: Daemon, target: number) => Promise<Watched>} */
async function watchOnly(node, source, target) {
  return { samples: await watch(node, source, target) };
}

/** @type {(node: Daemon, source: Daemon, target: number) => Promise<Watched>} */
async function watchWithProbe(node, source, target) {
  const probe = new LatencyProbe(node.rpcPort);
  let samples;
  let latencySince;
  try {
    samples = await watch(node, source, target);
  } finally {
    latencySince = await probe.stop();
  }
  return { samples, latencySince };
}

/**
 * Returns the latencies of all answers, and of those in the stretch from height `from` on.
 *
 * @param {readonly Sample[]} samples
 * @param {LatencySince} latencySince
 * @param {number} from
 */
function latencies(samples, latencySince, from) {
  const first = samples.find((sample) => sample.height >= from);
  return { whole: latencySince(), heavy: first && latencySince(first.time) };
}

/**
 * Returns the figures from the first sample at height `from` or more to the last; undefined when both are the same.
 *
 * @param {readonly Sample[]} samples
 * @param {number} from height
 * @param {TransactionsFrom} transactionsFrom
 */
function stretch(samples, from, transactionsFrom) {
  const first = samples.find((sample) => sample.height >= from);
  const last = samples.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const seconds = (last.time - first.time) / 1000;
  const blocks = last.height - first.height;
  const transactions = transactionsFrom(first.height);
  return {
    seconds,
    blocks,
    transactions,
    blocksPerSecond: blocks / seconds,
    transactionsPerSecond: transactions / seconds,
    cpuSeconds: last.cpu - first.cpu,
    sourceCpuSeconds: last.sourceCpu - first.sourceCpu,
    threads: threadCpuBetween(first.threads, last.threads),
  };
}

/**
 * Returns the size in bytes of a stopped node's database.
 *
 * @param {string} dataDir
 */
function databaseBytes(dataDir) {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === 'data.mdb')
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/**
 * Synchronizes a fresh node from `source` and measures it from its connection to the last block.
 *
 * @param {Start} start of withPrograms
 * @param {Measured} what
 * @param {{ source: Daemon, dir: string, chain: RecordedChain, transactionsFrom: TransactionsFrom }} context
 * @returns {Promise<SyncResult>}
 */
export async function measureSync(start, what, { source, dir, chain, transactionsFrom }) {
  const { name, ours = false, extra = [], probe } = what;
  const dataDir = join(dir, name);
  const env = ours ? NAME_THREADS : {};
  const node = await startDaemon(start, { name, ours, extra, env, dataDir, peer: source.peer });
  await connection(node, source);
  const watching = probe ? watchWithProbe : watchOnly;
  const { samples, latencySince } = await watching(node, source, chain.height);
  const { top_block_hash: top } = await node.info();
  if (top !== chain.topHash) throw new Error(`${name} has another chain: ${top}`);
  node.rpc.close();
  await node.program.stop();
  const stall = /event loop: longest stall ([\d.]+) ms/.exec(node.program.output());
  return {
    name,
    whole: stretch(samples, 1, transactionsFrom),
    heavy: stretch(samples, chain.heavy.from, transactionsFrom),
    ...(latencySince && { latency: latencies(samples, latencySince, chain.heavy.from) }),
    databaseBytes: databaseBytes(dataDir),
    ...(stall && { longestStall: Number(stall[1]) }),
  };
}
