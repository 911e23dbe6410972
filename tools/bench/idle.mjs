// Measures what a node costs that has nothing to do: our daemon and monerod at the same time, each with the same peers,
// on a private network without new blocks.
//
//   npm run bench -- idle [--minutes 10] [--settle SECONDS] [--peers 8] [--blocks 60] [--metrics] [--monerod]
//     [--max-cpu PERCENT] [--max-resident MB] [--out FILE] [-- DAEMON FLAGS]
//
// The peers are monerods (MONEROD names the program). Both nodes download the blocks first and check their proof of work, so
// RandomX's cache is in memory. --metrics lets ours serve metrics, read every 15 seconds as Prometheus would. The flags
// after -- are for our daemon only. Ends with status 1 when ours uses more than 0.3 % of a processor or 350 MB.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';
import { machineText } from './machine.mjs';
import { idleProblems, idleTable } from './idle/table.mjs';
import { ADDRESS, startDaemon } from './nodes.mjs';
import { memoryOf, useBetween, useOf } from './process-use.mjs';
import { LOOPBACK, freePorts, waitFor, withPrograms } from './programs.mjs';

/** Milliseconds between two scrapes of the shipped configuration, deploy/prometheus/prometheus.yml. */
const SCRAPE_MS = 15_000;
/** Milliseconds between two lines of progress. */
const REPORT_MS = 60_000;
const LONGEST_SYNC = 180_000;
/** Blocks that monerod is asked to make by one call. */
const MOST_AT_ONCE = 10;
/** Options of a network in which all nodes have the same address. */
const CROWDED = ['--max-connections-per-ip', '1000'];

function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      minutes: { type: 'string', default: '10' },
      settle: { type: 'string', default: '60' },
      peers: { type: 'string', default: '8' },
      blocks: { type: 'string', default: '60' },
      metrics: { type: 'boolean', default: false },
      monerod: { type: 'boolean', default: true },
      'max-cpu': { type: 'string', default: '0.3' },
      'max-resident': { type: 'string', default: '350' },
      out: { type: 'string', default: 'bench-idle.json' },
    },
  });
  const numbers = Object.fromEntries(
    ['minutes', 'settle', 'peers', 'blocks', 'max-cpu', 'max-resident'].map((name) => {
      const value = Number(values[name]);
      if (!(value > 0)) throw new Error(`--${name} needs a number above 0`);
      return [name, value];
    }),
  );
  return { ...values, ...numbers, flags: positionals };
}

/** Starts monerods that have the same chain. Returns them. */
async function startPeers(start, dir, { peers, blocks }) {
  // A monerod with peers makes no blocks before it has caught up with one.
  const dataDir = join(dir, 'maker');
  const first = await startDaemon(start, { name: 'maker', dataDir, offline: true });
  for (let left = blocks; left > 0; left -= MOST_AT_ONCE) {
    const { status } = await first.rpc.call('generateblocks', {
      amount_of_blocks: Math.min(left, MOST_AT_ONCE),
      wallet_address: ADDRESS,
      starting_nonce: 0,
    });
    if (status !== 'OK') throw new Error(`generateblocks: ${status}`);
  }
  first.rpc.close();
  await first.program.stop();
  const started = [];
  for (let i = 0; i < peers; i++) {
    const copy = join(dir, `peer-${i}`);
    cpSync(dataDir, copy, { recursive: true });
    started.push(await startDaemon(start, { name: `peer-${i}`, dataDir: copy, extra: CROWDED }));
  }
  return started;
}

/** Starts a node that connects to all peers, and waits until it has their chain. */
async function startIdle(start, what, { peers, height }) {
  const addresses = peers.map(({ peer }) => peer);
  const node = await startDaemon(start, {
    ...what,
    quiet: true,
    peer: addresses[0],
    extra: [
      ...addresses.slice(1).flatMap((peer) => ['--add-exclusive-node', peer]),
      ...['--out-peers', String(addresses.length), ...(what.extra ?? [])],
    ],
  });
  await waitFor(
    node.program,
    `${peers.length} peers and ${height} blocks`,
    async () => {
      const info = await node.info();
      return info.height >= height && info.outgoing_connections_count >= peers.length;
    },
    LONGEST_SYNC,
  );
  return node;
}

/** Reads the metrics at once, so that a failure is noticed, and then as often as Prometheus does. Returns what ends it. */
async function scrape(port) {
  const read = async () => (await fetch(`http://${LOOPBACK}:${port}/metrics`)).text();
  await read();
  const timer = setInterval(() => void read().catch(() => undefined), SCRAPE_MS);
  return () => clearInterval(timer);
}

/** Leaves the nodes alone for the given time. Returns what each has used. */
async function measure(nodes, { minutes, settle }) {
  console.log(`settling for ${settle} s ...`);
  await sleep(settle * 1000);
  const first = nodes.map(({ program }) => useOf(program.pid));
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    await sleep(Math.min(REPORT_MS, Math.max(0, end - performance.now())));
    const now = nodes.map(({ program }, i) => useBetween(first[i], useOf(program.pid)));
    const texts = nodes.map(({ name }, i) => `${name} ${now[i].cpuPercent.toFixed(2)} %`);
    console.log(`${(now[0].seconds / 60).toFixed(1)} min: ${texts.join(', ')}`);
  }
  const results = nodes.map(({ name, program }, i) => ({
    name,
    ...useBetween(first[i], useOf(program.pid)),
    ...memoryOf(program.pid),
  }));
  for (const [i, node] of nodes.entries()) {
    const { height, outgoing_connections_count: connections } = await node.info();
    Object.assign(results[i], { height, connections });
  }
  return results;
}

async function run(start, dir, options) {
  console.log(`starting ${options.peers} peers ...`);
  const peers = await startPeers(start, dir, options);
  const { height } = await peers[0].info();
  const [metricsPort] = await freePorts(1);
  const metrics = options.metrics ? ['--metrics-bind-port', String(metricsPort)] : [];
  const kinds = [
    { name: 'ours', ours: true, extra: [...metrics, ...options.flags] },
    ...(options.monerod ? [{ name: 'monerod' }] : []),
  ];
  const nodes = [];
  for (const what of kinds) {
    console.log(`synchronising ${what.name} ...`);
    nodes.push(
      await startIdle(start, { ...what, dataDir: join(dir, what.name) }, { peers, height }),
    );
  }
  const end = options.metrics ? await scrape(metricsPort) : () => undefined;
  try {
    return await measure(nodes, options);
  } finally {
    end();
  }
}

export async function idle(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-idle-'));
  try {
    const results = await withPrograms((start) => run(start, dir, options));
    const machine = machineText();
    console.log(`\n${machine}\n${idleTable(results, options)}`);
    warnWhenBusy();
    writeFileSync(
      options.out,
      `${JSON.stringify({ date: new Date().toISOString(), machine, options, results }, null, 2)}\n`,
    );
    const problems = idleProblems(results, options);
    if (problems.length > 0) throw new Error(problems.join('; '));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
