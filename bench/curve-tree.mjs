// Grows the curve tree of the next fork over synthetic outputs, in the store and in steps as the one-time build of a node does, and commits
// blocks at the tip on the way: what an output and a block cost, memory, disk, and a projection for a chain as long as mainnet's.
//
//   npm run bench -- curve-tree [--outputs 1000000] [--threads 2] [--tips 100000,1000000] [--kills 0] [--dir DIR] [--out FILE]
//
// --threads 0 computes on the thread that writes, as a node with one processor does. Without reading and parsing old blocks. A process of its own
// builds; --kills sends it SIGKILL so many times, spread over the outputs, and another one goes on. At the end the nodes above the leaves at which
// one went on, above 200 others and the last are computed anew. --outputs 20000000 takes 2 GB of disk, and outputs times the rate
// printed for one million.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTreeHasher } from '@monero-node/curve-tree';
import { openLmdbStore } from '@monero-node/storage';
import { checkPaths } from './curve-tree/check-paths.mjs';
import { addAlone, leavesOf } from './curve-tree/growth.mjs';
import { describeMachine, machineText, warnWhenBusy } from './machine.mjs';
import { median } from './statistics.mjs';

/** @import { Progress } from './curve-tree/builder.mjs' */
/** @import { ChainStore } from '@monero-node/storage' */

const BUILDER = fileURLToPath(new URL('./curve-tree/builder.mjs', import.meta.url));
const MAINNET_OUTPUTS = 160_000_000;
const TIP_BLOCKS = 60;
const PATHS_CHECKED = 200;
/** For which the time of a build is projected. */
const PROCESSORS = [2, 8, 16];
const US_OF_HOUR = 3.6e9;

/** @typedef {{ path: string, threads: string, kills: number[] }} Build */

/**
 * Builds until the tree has so many leaves, and kills the builder at each of `kills` that it reaches. Returns what its lives came to, and how many of them were killed.
 *
 * @param {Build} build
 * @param {number} leaves
 */
async function buildUpTo({ path, threads, kills }, leaves) {
  /** @type {Progress[]} */
  const lives = [];
  let killed = 0;
  for (let ended = false; !ended;) {
    const builder = fork(BUILDER, [path, String(leaves), threads]);
    /** @type {Progress | undefined} */
    let last;
    const kill = kills[0] !== undefined && kills[0] < leaves ? kills.shift() : undefined;
    builder.on('message', (/** @type {Progress} */ progress) => {
      last = progress;
      // The next commit may be at any point by then.
      if (kill !== undefined && progress.leaves >= kill)
        setTimeout(() => builder.kill('SIGKILL'), Math.random() * 300);
    });
    const [code, signal] = await once(builder, 'exit');
    if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the builder ended with ${code}`);
    if (last !== undefined) lives.push(last);
    if (signal === 'SIGKILL') killed++;
    ended = code === 0;
  }
  return { lives, killed };
}

/**
 * Commits blocks at the tip, one by one. Returns the milliseconds of processor time of each.
 *
 * @param {ChainStore} store
 */
async function measureTip(store) {
  const hasher = createTreeHasher();
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < TIP_BLOCKS; i++) {
    const before = process.cpuUsage();
    await addAlone(store, hasher, 1);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return { tipMs: median(times), leastTipMs: Math.min(...times) };
}

/**
 * Opens the store for something, and closes it.
 *
 * @template T
 * @param {string} path
 * @param {(store: ChainStore) => T | Promise<T>} use
 */
async function withStore(path, use) {
  const store = await openLmdbStore({ path, syncMode: 'fastest' });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/**
 * Builds the tree and measures blocks at each of the tips.
 *
 * @param {Build} build
 * @param {Iterable<number>} tips
 */
async function measure(build, tips) {
  const rows = [];
  /** @type {Progress[]} */
  const lives = [];
  let killed = 0;
  for (const tip of tips) {
    const { lives: own, killed: here } = await buildUpTo(build, tip);
    lives.push(...own);
    killed += here;
    const { usEach } = ratesOf(own);
    const memory = Math.max(...own.map((life) => life.memory)) / 1e6;
    const { tipMs, leastTipMs } = await withStore(build.path, measureTip);
    const diskMb = (statSync(join(build.path, 'data.mdb')).blocks * 512) / 1e6;
    rows.push({ leaves: tip, usEach, tipMs, leastTipMs, memoryMb: memory, diskMb });
    console.log(
      `${tip} leaves: ${usEach.toFixed(0)} us an output, ${tipMs.toFixed(1)} ms a block at the tip (least ${leastTipMs.toFixed(1)}), ` +
        `${memory.toFixed(0)} MB of memory, ${diskMb.toFixed(0)} MB on disk`,
    );
  }
  return { rows, lives, killed };
}

/**
 * Returns the microseconds for each output: of processor time, by the clock, and of the thread that writes.
 *
 * @param {readonly Progress[]} lives
 */
function ratesOf(lives) {
  /** @param {(life: Progress) => number} figure */
  const sum = (figure) => lives.reduce((total, life) => total + figure(life), 0);
  const built = sum((life) => life.leaves - life.first);
  return {
    usEach: sum((life) => life.spent) / built,
    usWall: sum((life) => life.elapsed) / built,
    usWriter: sum((life) => life.busy) / built,
  };
}

/**
 * Checks paths where a builder went on, at the end and elsewhere. Returns how many.
 *
 * @param {string} path
 * @param {readonly Progress[]} lives
 */
async function checkBuilt(path, lives) {
  return await withStore(path, (store) => {
    const leaves = leavesOf(store);
    const others = Array.from({ length: PATHS_CHECKED }, () => Math.floor(Math.random() * leaves));
    const resumed = lives.flatMap(({ first }) => (first === 0 ? [0] : [first - 1, first]));
    const places = new Set([...resumed, ...others, leaves - 1]);
    checkPaths(store, createTreeHasher(), places);
    return places.size;
  });
}

/** @param {string[]} args */
export async function curveTree(args) {
  const { values } = parseArgs({
    args,
    options: {
      outputs: { type: 'string', default: '1000000' },
      threads: { type: 'string', default: '0' },
      tips: { type: 'string', default: '100000,1000000' },
      kills: { type: 'string', default: '0' },
      dir: { type: 'string' },
      out: { type: 'string', default: 'bench-curve-tree.json' },
    },
  });
  const [outputs, kills] = [Number(values.outputs), Number(values.kills)];
  const tips = values.tips.split(',').map(Number);
  const path = mkdtempSync(join(values.dir ?? tmpdir(), 'bench-curve-tree-'));
  const killsAt = Array.from({ length: kills }, (_, i) => ((i + Math.random()) * outputs) / kills);
  const build = { path, threads: values.threads, kills: killsAt };
  const measured = new Set([...tips.filter((each) => each < outputs), outputs]);
  const { rows, lives, killed } = await measure(build, measured);
  const checked = await checkBuilt(path, lives);
  rmSync(path, { recursive: true });
  const { usEach, usWall, usWriter } = ratesOf(lives);
  const hours = (usEach * MAINNET_OUTPUTS) / US_OF_HOUR;
  console.log(`killed ${killed} times; ${checked} paths computed anew, all right`);
  console.log(`\n${machineText()}; processor time of all threads`);
  console.log(
    `${usEach.toFixed(0)} us an output: ${hours.toFixed(1)} h for ${MAINNET_OUTPUTS} outputs; ${usWall.toFixed(0)} us went by on the clock`,
  );
  // The thread that writes is the least that more processors can make of it.
  const projected = (values.threads === '0' ? [] : PROCESSORS).map((processors) => {
    const each = Math.max(usEach / processors, usWriter);
    return { processors, usEach: each, hours: (each * MAINNET_OUTPUTS) / US_OF_HOUR };
  });
  for (const { processors, usEach: each, hours: own } of projected)
    console.log(`${processors} processors: ${each.toFixed(0)} us an output, ${own.toFixed(1)} h`);
  warnWhenBusy();
  const figures = { rows, killed, checked, usEach, usWall, usWriter, hours, projected };
  writeFileSync(
    values.out,
    `${JSON.stringify({ machine: describeMachine(), threads: Number(values.threads), ...figures }, undefined, 2)}\n`,
  );
}
