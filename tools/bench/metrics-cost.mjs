// Measures what metrics cost, and whether they are complete: the real Prometheus scrapes our daemon, with the configuration
// of deploy/prometheus, while it synchronises a chain from monerod and serves RPC calls.
//
//   npm run bench -- metrics-cost [--minutes 10] [--chain DIR] [--rate 50] [--pairs 3] [--max-cost PERCENT] [--out FILE]
//
// The chain is one recorded by heavy-chain, or by default that of apps/daemon-e2e, which is short: when the daemon has it, the
// daemon makes a block every two seconds until the minutes are over. Every expression of the Grafana dashboard and every
// metric of the alerts is then asked for over that time. The cost is the part of the daemon's processor time that the main
// thread has spent on scrapes, during the synchronisation and in all; --pairs synchronisations with metrics and without, by
// turns, are printed beside it, with the mean difference and its interval of 95 % confidence. Ends with status 1 when an
// expression has no data, or is always 0 without a known reason, and when the cost is over 1 %.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';
import { median } from './median.mjs';
import { readExpressions, reasonForZero } from './metrics-cost/expressions.mjs';
import { Load } from './metrics-cost/load.mjs';
import { pairedCost } from './metrics-cost/paired-cost.mjs';
import { Prometheus } from './metrics-cost/prometheus.mjs';
import { ADDRESS, startDaemon } from './nodes.mjs';
import { cpuSeconds, freePorts, LOOPBACK, waitFor, withPrograms } from './programs.mjs';
import { importIntoMonerod } from './recorded-chain.mjs';

/** Milliseconds between two new blocks. */
const BLOCK_MS = 2000;
const REPORT_MS = 60_000;
const LONGEST_SYNC = 3_600_000;
/** Milliseconds in which Prometheus reads the last values: one scrape interval, and a little more. */
const LAST_SCRAPE_MS = 17_000;
const POLL_MS = 100;

function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      chain: { type: 'string' },
      rate: { type: 'string', default: '50' },
      pairs: { type: 'string', default: '3' },
      'max-cost': { type: 'string', default: '1' },
      out: { type: 'string', default: 'bench-metrics-cost.json' },
    },
  });
  const [minutes, rate, pairs, maxCost] = [
    ...[values.minutes, values.rate, values.pairs, values['max-cost']],
  ].map(Number);
  if (!(minutes >= 2 && rate > 0 && pairs >= 0 && maxCost > 0))
    throw new Error('usage: metrics-cost [--minutes N, at least 2] [--rate N] [--pairs N]');
  if (values.chain !== undefined && !existsSync(join(values.chain, 'data')))
    throw new Error(`${values.chain} has no chain of heavy-chain`);
  return { minutes, rate, pairs, maxCost, chain: values.chain, out: values.out };
}

/** Starts a monerod that has the chain. */
async function startSource(start, dir, chain) {
  const dataDir = join(dir, 'source');
  if (chain !== undefined) {
    cpSync(join(chain, 'data'), dataDir, { recursive: true });
  } else {
    importIntoMonerod(dataDir);
  }
  return startDaemon(start, { name: 'source', dataDir, extra: ['--max-connections-per-ip', '10'] });
}

/** Starts our daemon with an empty chain. Its processor time counts from now on. */
function startOurs(start, dataDir, { source, metricsPort }) {
  return startDaemon(start, {
    ...{ name: 'ours', ours: true, quiet: true, dataDir, peer: source.peer },
    extra: metricsPort ? ['--metrics-bind-port', String(metricsPort)] : [],
  });
}

function reaches(node, height) {
  const has = async () => (await node.rpc.call('get_block_count')).count >= height;
  return waitFor(node.program, `height ${height}`, has, LONGEST_SYNC);
}

/** Returns the seconds that the main thread has spent on scrapes so far, and the processor time of the process. */
async function costSoFar(node, metricsPort) {
  const text = await (await fetch(`http://${LOOPBACK}:${metricsPort}/metrics`)).text();
  const [, seconds] = /^monero_scrape_busy_seconds_total (\S+)$/m.exec(text) ?? [];
  return { scrapes: Number(seconds), cpu: cpuSeconds(node.program.pid) };
}

/**
 * Makes blocks until the time is over, and prints the height once a minute. The node makes them, because a monerod that was
 * started before its peers answers BUSY.
 */
async function growUntil(end, { node, began }) {
  let reported = performance.now();
  while (performance.now() < end) {
    const asked = { amount_of_blocks: 1, wallet_address: ADDRESS, starting_nonce: 0 };
    const { status } = await node.rpc.call('generateblocks', asked);
    if (status !== 'OK') throw new Error(`generateblocks: ${status}`);
    await sleep(BLOCK_MS);
    if (performance.now() - reported < REPORT_MS) continue;
    reported = performance.now();
    const { count } = await node.rpc.call('get_block_count');
    console.log(`${((reported - began) / 60_000).toFixed(0)} min: height ${count}`);
  }
}

/** Synchronises, then follows the chain, under load and scraped, until the minutes are over. */
async function scrapedRun(start, dir, { source, height, minutes, rate }) {
  const [metricsPort] = await freePorts(1);
  const prometheus = await Prometheus.start(start, {
    dir: join(dir, 'prometheus'),
    port: metricsPort,
  });
  const from = Date.now() / 1000;
  const began = performance.now();
  const node = await startOurs(start, join(dir, 'scraped'), { source, metricsPort });
  const load = new Load(node.rpcPort, rate);
  await reaches(node, height);
  const synchronised = {
    seconds: (performance.now() - began) / 1000,
    ...(await costSoFar(node, metricsPort)),
  };
  console.log(`synchronised in ${synchronised.seconds.toFixed(1)} s; following the chain ...`);
  await growUntil(began + minutes * 60_000, { node, began });
  const all = await costSoFar(node, metricsPort);
  await sleep(LAST_SCRAPE_MS);
  await load.end();
  const rows = await readExpressions(prometheus, { from, to: Date.now() / 1000 });
  node.rpc.close();
  await node.program.stop();
  await prometheus.program.stop();
  const { calls, failures } = load;
  return { synchronised, all, rows, calls, failures };
}

/** Returns the seconds of processor time that one synchronisation takes, under load. */
async function cpuOfSync(start, dir, { source, height, rate, metrics }) {
  const [metricsPort] = await freePorts(1);
  const prometheus =
    metrics && (await Prometheus.start(start, { dir: `${dir}-prometheus`, port: metricsPort }));
  const node = await startOurs(start, dir, { source, metricsPort: metrics && metricsPort });
  const load = new Load(node.rpcPort, rate);
  for (;;) {
    if ((await node.rpc.call('get_block_count')).count >= height) break;
    if (!node.program.alive) throw new Error(`ours ended:\n${node.program.output()}`);
    await sleep(POLL_MS);
  }
  const seconds = cpuSeconds(node.program.pid);
  await load.end();
  node.rpc.close();
  await node.program.stop();
  if (prometheus) await prometheus.program.stop();
  return seconds;
}

async function run(start, dir, options) {
  const source = await startSource(start, dir, options.chain);
  const { height } = await source.info();
  const context = { ...options, source, height };
  console.log(`synchronising ${height} blocks under load, scraped ...`);
  const scraped = await scrapedRun(start, dir, context);
  const pairs = [];
  for (let i = 0; i < options.pairs; i++) {
    const seconds = {};
    // The first of a pair is with metrics and without by turns, so that a machine that gets slower favours neither.
    for (const name of i % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
      const folder = join(dir, `${name}-${i}`);
      const metrics = name === 'with';
      seconds[name] = await cpuOfSync(start, folder, { ...context, metrics });
      rmSync(folder, { recursive: true, force: true });
    }
    pairs.push([seconds.with, seconds.without]);
    console.log(
      `pair ${i + 1}: ${seconds.with.toFixed(1)} s with metrics, ${seconds.without.toFixed(1)} s without`,
    );
  }
  return { height, ...scraped, pairs };
}

const percent = ({ scrapes, cpu }) => (100 * scrapes) / cpu;

function report({ height, synchronised, all, rows, calls, failures, pairs }) {
  const part = (name, cost) =>
    `${name.padEnd(28)}${(1000 * cost.scrapes).toFixed(0)} ms of ${cost.cpu.toFixed(1)} s, ${percent(cost).toFixed(3)} %`;
  const zeros = rows.filter(({ series, moved }) => series > 0 && !moved);
  const [withMetrics, without] = [0, 1].map((i) => median(pairs.map((pair) => pair[i])));
  const cost = pairedCost(pairs);
  return [
    `${calls} calls (${failures} of them answered with an error), ${height} blocks in ${synchronised.seconds.toFixed(1)} s`,
    part('scrapes while synchronising', synchronised),
    part('scrapes in all', all),
    ...(without === undefined
      ? []
      : [
          `processor time of a sync    ${withMetrics.toFixed(1)} s with metrics, ${without.toFixed(1)} s without (medians of ${pairs.length})`,
        ]),
    ...(cost === undefined
      ? []
      : [
          `cost by pairs               ${cost.mean.toFixed(2)} % ± ${cost.halfWidth.toFixed(2)} % (95 % confidence)`,
        ]),
    `${rows.length} expressions of the dashboard and metrics of the alerts; without data: ${rows.filter(({ series }) => series === 0).length}`,
    ...zeros.map((row) => `always 0: ${row.from}: ${reasonForZero(row) ?? 'NO KNOWN REASON'}`),
  ].join('\n');
}

function problemsOf({ synchronised, all, rows }, maxCost) {
  return [
    ...rows
      .filter(({ series }) => series === 0)
      .map(({ from, expression }) => `${from} has no data: ${expression}`),
    ...rows
      .filter((row) => row.series > 0 && !row.moved && reasonForZero(row) === undefined)
      .map(({ from, expression }) => `${from} is always 0: ${expression}`),
    ...[synchronised, all]
      .filter((cost) => !(percent(cost) <= maxCost))
      .map((cost) => `scrapes cost ${percent(cost).toFixed(2)} % of the processor time`),
  ];
}

export async function metricsCost(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-metrics-'));
  try {
    const result = await withPrograms((start) => run(start, dir, options));
    const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} threads, Node ${process.version}`;
    console.log(`\n${machine}\n${report(result)}`);
    warnWhenBusy();
    writeFileSync(
      options.out,
      `${JSON.stringify({ date: new Date().toISOString(), machine, options, ...result }, null, 2)}\n`,
    );
    const problems = problemsOf(result, options.maxCost);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
