// Compares the mining and verification speed of our daemon and monerod on this machine, in alternating runs.
//
//   npm run bench -- miner [--seconds N] [--rounds N] [--threads LIST] [--calls N] [--out FILE]
//
// Mining: both daemons work on a block of unreachable difficulty with a dataset of 2 GiB each; the rates come from
// mining_status once the dataset is complete. Verification: calc_pow through the RPC of both, one call at a time, in
// light mode. Each rate is also printed per second of processor time, which other programs affect less.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineText, warnWhenBusy } from './machine.mjs';
import { measureMining } from './miner/mining.mjs';
import { measureVerification } from './miner/verification.mjs';
import { measureWasm } from './miner/wasm.mjs';
import { startDaemon } from './nodes.mjs';
import { withPrograms } from './programs.mjs';
import { median } from './statistics.mjs';

/**
 * @import { Daemon } from './nodes.mjs'
 * @import { Start } from './programs.mjs'
 */
/**
 * Hashes in a second, and in a second of processor time.
 *
 * @typedef {{ perSecond: number, perCpuSecond: number }} Rates
 */
/**
 * The rates of each daemon, round by round.
 *
 * @typedef {{ monerod: Rates[], ours: Rates[] }} Runs
 */
/**
 * A rate of both daemons: medians.
 *
 * @typedef {{ monerod: number, ours: number, ratio: number }} Rate
 */
/**
 * What was measured, with the rates of both daemons.
 *
 * @typedef {{ what: string, unit: string, perSecond: Rate, perCpuSecond: Rate, runs: Runs }} Comparison
 */
/**
 * @typedef {{ seconds: number, rounds: number, calls: number, threads: readonly number[] }} Options threads: numbers of threads that mine
 */

/** Difficulty at which a block would take centuries. */
const DIFFICULTY = '1000000000000';

/**
 * Returns the medians of both rates and their ratio.
 *
 * @param {string} what
 * @param {string} unit
 * @param {Runs} runs
 * @returns {Comparison}
 */
function compare(what, unit, runs) {
  /** @param {keyof Rates} rate */
  const of = (rate) => {
    const monerod = median(runs.monerod.map((run) => run[rate]));
    const ours = median(runs.ours.map((run) => run[rate]));
    return { monerod, ours, ratio: ours / monerod };
  };
  return { what, unit, perSecond: of('perSecond'), perCpuSecond: of('perCpuSecond'), runs };
}

/** @param {readonly Comparison[]} rows */
function print(rows) {
  /** @param {number} value */
  const short = (value) => value.toFixed(1);
  console.table(
    rows.map(({ what, perSecond, perCpuSecond }) => ({
      '': what,
      'monerod /s': short(perSecond.monerod),
      'ours /s': short(perSecond.ours),
      ratio: perSecond.ratio.toFixed(3),
      'monerod /CPU s': short(perCpuSecond.monerod),
      'ours /CPU s': short(perCpuSecond.ours),
      'CPU ratio': perCpuSecond.ratio.toFixed(3),
    })),
  );
}

/**
 * Measures monerod and our daemon in alternating rounds, so that changes of the machine's speed affect both.
 *
 * @param {{ monerod: Daemon, ours: Daemon }} nodes
 * @param {number} rounds
 * @param {(node: Daemon) => Promise<Rates>} measure
 */
async function inTurns({ monerod, ours }, rounds, measure) {
  /** @type {Runs} */
  const runs = { monerod: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    runs.monerod.push(await measure(monerod));
    runs.ours.push(await measure(ours));
  }
  return runs;
}

/**
 * @param {Start} start
 * @param {string} dir
 * @param {Options} options
 */
async function againstMonerod(start, dir, options) {
  const common = { offline: true, fixedDifficulty: DIFFICULTY };
  const nodes = {
    monerod: await startDaemon(start, {
      ...common,
      name: 'monerod',
      dataDir: join(dir, 'monerod'),
    }),
    ours: await startDaemon(start, {
      ...common,
      name: 'ours',
      ours: true,
      dataDir: join(dir, 'ours'),
    }),
  };
  /** @type {Comparison[]} */
  const rows = [];
  const verification = await inTurns(nodes, options.rounds, (node) =>
    measureVerification(node, options.calls),
  );
  rows.push(compare('verification in light mode (calc_pow)', 'hashes', verification));
  print(rows.slice(-1));
  for (const threads of options.threads) {
    const runs = await inTurns(nodes, options.rounds, (node) =>
      measureMining(node, threads, options.seconds),
    );
    rows.push(compare(`mining, ${threads} thread${threads === 1 ? '' : 's'}`, 'hashes', runs));
    print(rows.slice(-1));
  }
  return rows;
}

/**
 * @param {string} name of an option
 * @param {string} text
 */
function wholeNumber(name, text) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} needs a whole number`);
  return value;
}

/** @param {string[]} args */
export async function miner(args) {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '3' },
      threads: { type: 'string', default: '1,2' },
      calls: { type: 'string', default: '100' },
      out: { type: 'string', default: 'bench-miner.json' },
    },
  });
  const options = {
    seconds: wholeNumber('seconds', values.seconds),
    rounds: wholeNumber('rounds', values.rounds),
    calls: wholeNumber('calls', values.calls),
    threads: values.threads.split(',').map((each) => wholeNumber('threads', each)),
  };
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const wasm = await measureWasm(options.calls);
    const rows = await withPrograms((start) => againstMonerod(start, dir, options));
    const machine = machineText();
    console.log(`\n${machine}\n`);
    print(rows);
    console.table([wasm]);
    warnWhenBusy();
    const report = { date: new Date().toISOString(), machine, ...options, results: rows, wasm };
    writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
