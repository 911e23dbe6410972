// Simulates a day of a node in a few minutes: a monerod, a node of ours that keeps running and one that is
// repeatedly stopped or killed, wallets that pay, blocks from both sides, sometimes two at once, and new nodes
// that synchronize and leave. Five hostile peers and two hostile RPC clients attack the node that keeps running
// (docs/internals/hostile.md).
//
//   npm run bench -- soak [--minutes 5] [--seed N] [--keep] [--no-hostiles] [--only ROWS]
//
// Fails if the memory of the node that keeps running grows after a warm-up, if a node gets stuck, if one of our
// nodes logs an unexpected error, or if chains or pools differ at the end.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '@monero-node/base';
import { warnWhenBusy } from './machine.mjs';
import { infoProbe } from './hostile/probes.mjs';
import { LOOPBACK, withPrograms } from './programs.mjs';
import { growth, windows } from './soak/growth.mjs';
import { attackAll } from './soak/hostiles.mjs';
import { MAX_LAG, World } from './soak/world.mjs';
import { messageOf, present } from './values.mjs';

/**
 * @import { Start } from './programs.mjs'
 * @import { Sample } from './soak/report-memory.mjs'
 */
/**
 * When an event may happen, and where.
 *
 * @typedef {{ end: number, random: () => number, world: World }} Context
 */

const MAX_MINUTES = 24 * 60;
/** Milliseconds between two requests of a good client. */
const PROBE_MS = 500;
/** Milliseconds between two events of a kind, on average. */
const PACE = { mine: 1200, pay: 700, ask: 400, restart: 12_000, visit: 20_000 };

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string' },
      keep: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      'no-hostiles': { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= MAX_MINUTES))
    throw new Error(`usage: soak [--minutes N, at most ${MAX_MINUTES}] [--seed N]`);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  return { minutes, seed, keep: values.keep, hostiles: !values['no-hostiles'], rows: values.only };
}

/**
 * Repeats an event at random intervals until `end`.
 *
 * @param {() => Promise<void>} event
 * @param {number} pace milliseconds
 * @param {Context} context
 */
async function repeat(event, pace, { end, random, world }) {
  while (Date.now() < end && world.problems.length === 0) {
    await sleep(pace * (0.5 + random()));
    try {
      if (Date.now() < end) await event();
    } catch (error) {
      world.problems.push(messageOf(error));
    }
  }
}

/**
 * Waits until all nodes have the same chain and pool.
 *
 * @param {World} world
 */
async function compareAtEnd(world) {
  const nodes = [world.monerod, world.ours, world.victim];
  await world.settled(nodes).catch((error) => world.problems.push(error.message));
  const pools = async () => Promise.all(nodes.map((node) => world.pool(node)));
  /** @param {readonly string[][]} lists */
  const alike = (lists) => new Set(lists.map((list) => list.join())).size === 1;
  const end = Date.now() + MAX_LAG;
  let last = await pools();
  while (!alike(last) && Date.now() < end) {
    await sleep(500);
    last = await pools();
  }
  if (!alike(last)) world.problems.push(`pools of ${last.map((list) => list.length)} differ`);
  const { height } = await world.ours.info();
  const { chains = [] } = await world.ours.rpc.call('get_alternate_chains');
  return { height, chains: chains.length, pool: present(last[0]).length };
}

/**
 * Returns the error lines in the logs of our nodes.
 *
 * @param {string} dir
 */
function errorLines(dir) {
  return readdirSync(dir)
    .filter((name) => /^(ours|victim|visitor)-/.test(name))
    .flatMap((name) => {
      try {
        return readFileSync(join(dir, name, 'output.log'), 'utf8').split('\n');
      } catch {
        return [];
      }
    })
    .filter((line) => /\tE\t|unexpected error/i.test(line));
}

/** @param {Awaited<ReturnType<typeof live>>} result */
function table({ world, end, memory, windows: parts, latency, seconds, seed }) {
  /** @type {(name: string, text: string) => string} */
  const row = (name, text) => `${name.padEnd(30)}${text}`;
  /** @param {number} value */
  const mib = (value) => `${value.toFixed(1)} MiB`;
  /** @type {(value: number | null, digits?: number) => string} There is none when the client never got an answer. */
  const ms = (value, digits = 0) => (value === null ? '–' : `${value.toFixed(digits)} ms`);
  return [
    row('seconds', `${seconds} (seed ${seed})`),
    row('height at the end', `${end.height}, ${end.chains} alternative chains`),
    row('pool at the end', `${end.pool} transactions, the same in all nodes`),
    ...Object.entries(world.counts).map(([name, count]) => row(name, String(count))),
    ...Object.entries(world.longest).map(([name, time]) =>
      row(`longest ${name}`, `${(time / 1000).toFixed(1)} s`),
    ),
    row(
      'get_info of a good client',
      `median ${ms(latency.median, 1)}, 99th percentile ${ms(latency.p99)}, ` +
        `longest ${ms(latency.worst)} (${latency.answers} answers, ${latency.failed} failed)`,
    ),
    ...parts.map(({ minutes, live, anonymous }) =>
      row(
        `memory, minutes ${minutes}`,
        `heap ${mib(live.mean)}, at most ${mib(live.most)}; anonymous ${mib(anonymous.mean)}, at most ${mib(anonymous.most)}`,
      ),
    ),
    ...memory.map(({ kind, first, last, slope, most }) =>
      row(
        kind === 'live' ? 'heap after collection' : 'anonymous memory',
        `${mib(first)} -> ${mib(last)} (${slope.toFixed(2)} MiB a minute), at most ${mib(most)}`,
      ),
    ),
  ].join('\n');
}

/**
 * @param {string} file
 * @returns {Sample[]}
 */
function readSamples(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/**
 * @param {Start} start
 * @param {string} dir
 * @param {ReturnType<typeof readOptions>} options
 */
async function live(start, dir, { minutes, seed, hostiles, rows }) {
  const random = seededRandom(seed);
  const world = await World.open(start, dir, random);
  const began = Date.now();
  const context = { end: began + minutes * 60_000, random, world };
  // Blocks stop first, so that transactions remain in the pools.
  const beforeEnd = { ...context, end: context.end - 4000 };
  const probe = infoProbe(world.ours.rpcPort, LOOPBACK, PROBE_MS);
  await Promise.all([
    repeat(() => world.mine(), PACE.mine, beforeEnd),
    repeat(() => world.pay(), PACE.pay, context),
    repeat(() => world.ask(), PACE.ask, context),
    repeat(() => world.restart(), PACE.restart, context),
    repeat(() => world.visit(), PACE.visit, context),
    ...(hostiles ? [attackAll(context, rows)] : []),
  ]);
  const latency = await probe.stop();
  const samples = readSamples(world.memoryFile).filter(({ at }) => at >= began);
  const end = await compareAtEnd(world);
  const seconds = Math.round((Date.now() - began) / 1000);
  return { world, end, seconds, seed, latency, memory: growth(samples), windows: windows(samples) };
}

/** @param {string[]} args */
export async function soak(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-soak-'));
  let failed = true;
  try {
    const result = await withPrograms((start) => live(start, dir, options));
    const { world, memory, latency } = result;
    console.log(table(result));
    warnWhenBusy();
    const errors = errorLines(dir);
    const problems = [
      ...world.problems,
      ...(world.counts['visits that ended earlier'] && !world.counts['visits to the top']
        ? ['no visitor reached the top']
        : []),
      ...(latency.answers === 0 ? ['a good client never got an answer'] : []),
      ...memory.filter(({ leaks }) => leaks).map(({ kind }) => `${kind} memory grows`),
      ...errors,
    ];
    if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'));
    failed = false;
  } finally {
    if (failed || options.keep) console.log(`logs: ${dir}`);
    else rmSync(dir, { recursive: true, force: true });
  }
}
