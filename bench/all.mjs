// Runs the benches that compare with monerod, several rounds in turns, and writes all figures to one file.
//
//   npm run bench -- all [--json FILE] [--rounds 3] [--only NAME]... [--chain DIR] [--quick] [--against FILE] [--loss 30]
//
// Every round runs every bench once, in a process of its own. The file has medians, ratios with intervals of 95 % confidence, and the machine. DIR is a chain recorded by heavy-chain; without it, synchronization and import are left out. --quick takes
// four minutes, and keeps figures of processor time only, so that it can run on a busy machine. With --against, the ratios are
// compared with those of an earlier file: a bench with a loss of more than --loss percent is run twice more, and the run ends
// with status 1 when its best result is still that bad. Ratios of another kind of processor, of another version of Node or of
// another monerod are printed, but not judged.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isComparable, lossesOf } from './all/losses.mjs';
import { plan } from './all/plan.mjs';
import { READERS, threadsOf } from './all/read-figures.mjs';
import { printSummary } from './all/print.mjs';
import { summarize } from './all/summary.mjs';
import { describeMachine, warnWhenBusy } from './machine.mjs';
import { importAhead, IMPORTED } from './recorded-chain.mjs';
import { messageOf } from './values.mjs';

/**
 * @import { Planned } from './all/plan.mjs'
 * @import { Threads } from './all/read-figures.mjs'
 * @import { Figure, Report, Summary } from './all/summary.mjs'
 */
/**
 * @typedef {ReturnType<typeof readOptions> & { ahead?: Promise<void> }} Options ahead: until the recorded chain has been imported
 */
/**
 * What a bench has measured in a round.
 *
 * @typedef {{ bench: Planned, figures: Figure[], threads: Threads | undefined }} Result
 */

const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url));

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string', default: 'bench-all.json' },
      rounds: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      chain: { type: 'string' },
      quick: { type: 'boolean', default: false },
      against: { type: 'string' },
      loss: { type: 'string', default: '30' },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  const loss = Number(values.loss);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds needs a whole number');
  if (!(loss > 0 && loss < 100)) throw new Error('--loss needs a percentage');
  const benches = plan(values).filter(({ name, needs }) => {
    if (needs !== undefined && values[needs] === undefined) {
      console.log(`without ${name}: it needs --${needs}`);
      return false;
    }
    return values.only.length === 0 || values.only.includes(name);
  });
  if (benches.length === 0) throw new Error('--only names no bench of this run');
  /** @type {Report | undefined} */
  const against = values.against && JSON.parse(readFileSync(values.against, 'utf8'));
  return { ...values, rounds, loss, benches, against };
}

/**
 * Runs a bench once. Returns its figures and, if it has measured them, our threads. Throws Error when it ends before it has written them.
 *
 * @param {Planned} bench
 * @param {{ quick: boolean }} options
 * @param {string} dir of the files
 */
async function runOnce({ name, args }, { quick }, dir) {
  const out = join(dir, `${name}.json`);
  rmSync(out, { force: true });
  console.log(`\n=== ${name} ${args.join(' ')}`);
  const child = spawn(process.execPath, [MAIN, name, ...args, '--out', out], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  // A bench that misses a goal of its own ends with 1 after it has written its figures.
  if (!existsSync(out)) throw new Error(`${name} ended with ${status} and without figures`);
  const written = JSON.parse(readFileSync(out, 'utf8'));
  const figures = READERS[name](written).filter(({ steady }) => steady || !quick);
  return { figures, threads: threadsOf(name, written) };
}

/**
 * @param {Options} options
 * @param {string} dir
 */
async function runAll(options, dir) {
  /** @type {Result[]} */
  const results = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const bench of options.benches) {
      if (bench.importsChain) await options.ahead;
      results.push({ bench, ...(await runOnce(bench, options, dir)) });
    }
  }
  return results;
}

/** How often a bench that has lost is run again. */
const CONFIRMATIONS = 2;

/**
 * Runs each bench that has lost again, and returns the losses that every run has.
 *
 * @param {readonly Summary[]} summary
 * @param {readonly Result[]} results
 * @param {Options} options
 * @param {Report} against
 * @param {string} dir
 */
async function confirmLosses(summary, results, options, against, dir) {
  const { loss } = options;
  let losses = lossesOf(against.figures, summary, loss);
  for (let run = 0; run < CONFIRMATIONS && losses.length > 0; run++) {
    const lost = new Set(losses.map(({ id }) => id));
    const suspects = results.filter(({ figures }) => figures.some(({ id }) => lost.has(id)));
    /** @type {Figure[][]} */
    const again = [];
    for (const bench of new Set(suspects.map((suspect) => suspect.bench))) {
      console.log(`\n${bench.name} has lost, so it is run once more`);
      again.push((await runOnce(bench, options, dir)).figures);
    }
    const still = new Set(lossesOf(against.figures, summarize(again), loss).map(({ id }) => id));
    losses = losses.filter(({ id }) => still.has(id));
  }
  return losses;
}

/**
 * Judges the figures by those of an earlier file. Throws Error when a ratio has been lost.
 *
 * @param {Report} report
 * @param {readonly Result[]} results
 * @param {Options} options
 * @param {Report} against
 * @param {string} dir
 */
async function judge(report, results, options, against, dir) {
  if (!isComparable(against.machine, report.machine)) {
    console.log(`not judged: ${against.date} was measured with ${JSON.stringify(against.machine)}`);
    return;
  }
  const losses = await confirmLosses(report.figures, results, options, against, dir);
  if (losses.length === 0) return;
  const words = losses.map(({ id, percent }) => `${id} (${percent.toFixed(0)} %)`);
  throw new Error(`lost against ${against.date}: ${words.join(', ')}`);
}

/**
 * Runs all benches while monerod's tool imports the chain that some of them need.
 *
 * @param {Options} options
 * @param {string} dir
 */
async function runWithChain(options, dir) {
  if (!options.benches.some(({ importsChain }) => importsChain)) return runAll(options, dir);
  const imported = join(dir, 'imported');
  const ahead = importAhead(join(dir, 'importing')).then(
    () => renameSync(join(dir, 'importing'), imported),
    (error) => console.log(`no chain was imported ahead: ${messageOf(error)}`),
  );
  process.env[IMPORTED] = imported;
  const results = await runAll({ ...options, ahead }, dir);
  await ahead;
  return results;
}

/** @param {string[]} args */
export async function all(args) {
  const options = readOptions(args);
  const began = performance.now();
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-all-'));
  try {
    const results = await runWithChain(options, dir);
    const figures = summarize(results.map((result) => result.figures));
    console.log(`\n=== all\n`);
    printSummary(figures, options.against?.figures);
    warnWhenBusy();
    /** @type {Report} */
    const report = {
      date: new Date().toISOString(),
      machine: describeMachine(),
      quick: options.quick,
      rounds: options.rounds,
      seconds: Math.round((performance.now() - began) / 1000),
      figures,
      threads: results.findLast(({ threads }) => threads !== undefined)?.threads,
    };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    if (options.against) await judge(report, results, options, options.against, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
