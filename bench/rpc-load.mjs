// Measures the requests that our daemon and monerod answer on the same chain, by the clock and for each second of processor
// time of the daemon that answers, by turns.
//
//   npm run bench -- rpc [--seconds 3] [--rounds 5] [--connections 8] [--call TEXT] [--monerod] [--workers LIST] [--worker-share PERCENT] [--out FILE] [-- DAEMON FLAGS]
//
// Uses the recorded chain of apps/daemon-e2e. Every answer must be HTTP 200, and both daemons must give the same answer to the
// first requests of a call before it is measured. --call measures only the calls whose name has the text in it; the flags
// after -- are for our daemon only. `--workers 0,1,2 --no-monerod` compares daemons of ours with these numbers of RPC workers;
// the ratio is that of the last two. `--worker-share 30` limits each worker, or the daemon without workers, to that percentage
// of a core, so that on a machine with few cores neither workers nor load generator are short of one (needs root and cgroups
// version 1). MONEROD and MONERO_BLOCKCHAIN_IMPORT name other programs, such as those of the current release
// (tools/current-monero.mjs).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machineText, warnWhenBusy } from './machine.mjs';
import { median } from './statistics.mjs';
import { startDaemon } from './nodes.mjs';
import { cpuSecondsWithChildren, withPrograms } from './programs.mjs';
import { importIntoMonerod, importIntoOurs } from './recorded-chain.mjs';
import { callsFor } from './rpc-load/calls.mjs';
import { Limits } from './rpc-load/limit.mjs';
import { requireSameAnswers } from './rpc-load/same-answers.mjs';
import { present } from './values.mjs';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Daemon } from './nodes.mjs'
 * @import { Start } from './programs.mjs'
 * @import { Call } from './rpc-load/calls.mjs'
 * @import { Answer } from './rpc-load/generator.mjs'
 */
/**
 * @typedef {ReturnType<typeof readOptions>} Options
 */
/**
 * A daemon of ours: its number of workers and its flags.
 *
 * @typedef {{ name: string, workers: number, flags: string[] }} Kind
 */
/**
 * How much is asked in a run.
 *
 * @typedef {{ connections: number, seconds: number }} Amount
 */
/**
 * The figures of a call, of each daemon: medians of its runs.
 *
 * @typedef {object} CallResult
 * @property {string} call
 * @property {string[]} nodes
 * @property {number[]} perSecond
 * @property {number[]} perCpuSecond
 * @property {Awaited<ReturnType<typeof run>>[][]} runs
 */

const GENERATOR = fileURLToPath(new URL('./rpc-load/generator.mjs', import.meta.url));
/** Number of connections, which exceeds the default limit for a private address. */
const MANY_CONNECTIONS = ['--rpc-max-connections-per-private-ip', '100'];
/** Seconds of the run before the first, in which caches fill and code is compiled. */
const WARM_UP = 2;

/** @param {string[]} args */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '8' },
      call: { type: 'string', default: '' },
      monerod: { type: 'boolean', default: true },
      workers: { type: 'string' },
      'worker-share': { type: 'string' },
      out: { type: 'string', default: 'bench-rpc.json' },
    },
  });
  /** @param {'seconds' | 'rounds' | 'connections'} name */
  const positive = (name) => {
    const value = Number(values[name]);
    if (!(value > 0)) throw new Error(`--${name} needs a number above 0`);
    return value;
  };
  const numbers = {
    seconds: positive('seconds'),
    rounds: positive('rounds'),
    connections: positive('connections'),
  };
  const share = values['worker-share'];
  const workerShare = share === undefined ? undefined : Number(share);
  if (workerShare !== undefined && !(workerShare > 0 && workerShare <= 100)) {
    throw new Error('--worker-share needs a percentage');
  }
  const ours = kindsOfOurs(values.workers, positionals);
  return { ...values, ...numbers, workerShare, ours };
}

/**
 * Returns name and flags of each daemon of ours: one for each number of a list such as 0,1,2, or just one.
 *
 * @param {string | undefined} workers
 * @param {string[]} flags
 * @returns {Kind[]}
 */
function kindsOfOurs(workers, flags) {
  if (workers === undefined) return [{ name: 'ours', workers: 0, flags }];
  return workers.split(',').map((count) => {
    if (!/^\d+$/.test(count)) throw new Error('--workers needs numbers, such as 0,1,2');
    const name = `${count} ${count === '1' ? 'worker' : 'workers'}`;
    return { name, workers: Number(count), flags: [...flags, '--rpc-workers', count] };
  });
}

/**
 * Starts the daemons, offline, with the same chain. Returns ours first.
 *
 * @param {Start} start
 * @param {string} dir
 * @param {Options} options
 */
async function startDaemons(start, dir, { monerod, ours }) {
  const what = { quiet: true, offline: true };
  /** @type {Daemon[]} */
  const nodes = [];
  for (const { name, flags } of ours) {
    const dataDir = join(dir, name);
    importIntoOurs(dataDir);
    const extra = [...MANY_CONNECTIONS, ...flags];
    nodes.push(await startDaemon(start, { ...what, name, ours: true, dataDir, extra }));
  }
  if (monerod) {
    const dataDir = join(dir, 'monerod');
    importIntoMonerod(dataDir);
    nodes.push(
      await startDaemon(start, { ...what, name: 'monerod', dataDir, extra: MANY_CONNECTIONS }),
    );
  }
  return nodes;
}

/**
 * Runs the load of a call against a daemon once. Returns requests per second and per second of its processor time.
 *
 * @param {ChildProcess} generator
 * @param {Daemon} node
 * @param {Call} call
 * @param {Amount} amount
 */
async function run(generator, node, { name, path, bodies }, { connections, seconds }) {
  const before = cpuSecondsWithChildren(node.program.pid);
  const order = { port: node.rpcPort, path, connections, seconds };
  generator.send({ ...order, bodies: bodies.map((body) => body.toString('base64')) });
  /** @type {Answer[]} */
  const [answer] = await once(generator, 'message');
  const result = present(answer);
  if (result.error !== undefined) throw new Error(`${name}, ${node.name}: ${result.error}`);
  const cpu = cpuSecondsWithChildren(node.program.pid) - before;
  return {
    perSecond: result.requests / result.seconds,
    perCpuSecond: result.requests / cpu,
    bytes: result.bytes / result.requests,
    generatorCpu: result.cpuSeconds / result.seconds,
  };
}

/**
 * Measures a call on each daemon, by turns. Returns the medians and the runs of each.
 *
 * @param {ChildProcess} generator
 * @param {readonly Daemon[]} nodes
 * @param {Call} call
 * @param {Amount & { rounds: number }} amount
 * @returns {Promise<CallResult>}
 */
async function measure(generator, nodes, call, { rounds, connections, seconds }) {
  /** @type {CallResult['runs']} */
  const runs = nodes.map(() => []);
  for (const node of nodes) await run(generator, node, call, { connections, seconds: WARM_UP });
  for (let round = 0; round < rounds; round++) {
    for (const [i, node] of nodes.entries()) {
      present(runs[i]).push(await run(generator, node, call, { connections, seconds }));
    }
  }
  /** @param {'perSecond' | 'perCpuSecond'} figure */
  const of = (figure) => runs.map((each) => median(each.map((one) => one[figure])));
  const figures = { perSecond: of('perSecond'), perCpuSecond: of('perCpuSecond') };
  return { call: call.name, nodes: nodes.map(({ name }) => name), ...figures, runs };
}

/**
 * Returns our figure in relation to monerod's, or that of our last daemon in relation to the one before.
 *
 * @param {readonly number[]} figures
 * @param {boolean} hasMonerod
 */
function ratio(figures, hasMonerod) {
  const [figure, other] = hasMonerod
    ? [figures[0], figures.at(-1)]
    : [figures.at(-1), figures.at(-2)];
  return figure === undefined || other === undefined ? '–' : (figure / other).toFixed(2);
}

/**
 * @param {string} name
 * @param {readonly string[]} cells
 */
const line = (name, cells) => name.padEnd(28) + cells.map((cell) => cell.padStart(10)).join('');

/** @param {readonly string[]} names */
function headings(names) {
  const columns = [...names, 'ratio'];
  const width = 10 * columns.length;
  const above = ['requests/s', 'per CPU second'].map((text) => text.padStart(width)).join('');
  return `${''.padEnd(28)}${above}\n${line('', [...columns, ...columns])}`;
}

/**
 * Returns a row: what each answers a second, then for each second of processor time.
 *
 * @param {CallResult} result
 * @param {boolean} hasMonerod
 */
function row({ call, perSecond, perCpuSecond }, hasMonerod) {
  const cells = [perSecond, perCpuSecond].flatMap((figures) => [
    ...figures.map((figure) => figure.toFixed(0)),
    ratio(figures, hasMonerod),
  ]);
  return line(call, cells);
}

/**
 * Limits the processes of our daemons that answer, if asked for.
 *
 * @param {Limits} limits
 * @param {readonly Daemon[]} nodes
 * @param {Options} options
 */
async function limitWorkers(limits, nodes, { ours, workerShare }) {
  if (workerShare === undefined) return;
  for (const [i, { workers }] of ours.entries()) {
    await limits.add(present(nodes[i]).program, workers, workerShare);
  }
}

/**
 * @param {string} dir
 * @param {Options} options
 */
async function measureAll(dir, options) {
  const limits = new Limits();
  try {
    return await withPrograms(async (start) => {
      const nodes = await startDaemons(start, dir, options);
      await limitWorkers(limits, nodes, options);
      return measureCalls(nodes, options);
    });
  } finally {
    limits.remove();
  }
}

/**
 * Measures and prints all calls that were asked for.
 *
 * @param {readonly Daemon[]} nodes ours first
 * @param {Options} options
 */
async function measureCalls(nodes, options) {
  const calls = (await callsFor(present(nodes[0]))).filter(({ name }) =>
    name.includes(options.call),
  );
  console.log(headings(nodes.map(({ name }) => name)));
  const generator = fork(GENERATOR);
  /** @type {CallResult[]} */
  const results = [];
  try {
    for (const call of calls) {
      await requireSameAnswers(nodes, call);
      const result = await measure(generator, nodes, call, options);
      results.push(result);
      console.log(row(result, options.monerod));
    }
  } finally {
    generator.disconnect();
  }
  return results;
}

/** @param {string[]} args */
export async function rpcLoad(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const results = await measureAll(dir, options);
    const machine = machineText();
    console.log(`\n${machine}; medians of ${options.rounds} rounds`);
    warnWhenBusy();
    writeFileSync(
      options.out,
      `${JSON.stringify({ date: new Date().toISOString(), machine, options, results }, null, 2)}\n`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
