// Grows the curve tree of the next fork over synthetic outputs, in the store and in steps as the one-time build of a node does, and commits
// blocks at the tip on the way: what an output and a block cost, memory, disk, and a projection for a chain as long as mainnet's.
//
//   npm run bench -- curve-tree [--outputs 1000000] [--threads 2] [--tips 100000,1000000] [--dir DIR] [--out FILE]
//
// --threads 0 computes on the thread that writes, as a node with one processor does. Without reading and parsing old blocks. --outputs 20000000 takes
// 2 GB of disk, and outputs times the rate printed for one million.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createTreeHasher,
  CurveTree,
  growByOutputs,
  growthAboveSteps,
  MONERO_SHAPE,
  TreeView,
} from '@monero-node/curve-tree';
import { TreeThreads } from '@monero-node/curve-tree/threads';
import { runAtOnce } from '@monero-node/base';
import { TREE_AHEAD } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import { openLmdbStore } from '@monero-node/storage';
import { describeMachine, machineText, warnWhenBusy } from './machine.mjs';
import { median } from './statistics.mjs';

/** @import { ChainStore } from '@monero-node/storage' */
/** @import { PendingGrowth } from '@monero-node/curve-tree/threads' */
/** @import { BlockAddition, OutputGrowth, ScheduledOutput, TreeHasher } from '@monero-node/curve-tree' */

/** As many as a block of mainnet had on average. */
const OUTPUTS_OF_BLOCK = 46;
/** As the one-time build has them: on one thread, and with more, of which some steps are computed ahead. */
const BLOCKS_OF_STEP = 22;
const BLOCKS_OF_BATCH = 87;
const BATCHES_AHEAD = 3;
const MAINNET_OUTPUTS = 160_000_000;
const POINTS = 4600;
const TIP_BLOCKS = 60;
/** For which the time of a build is projected. */
const PROCESSORS = [2, 8, 16];
const US_OF_HOUR = 3.6e9;

/** Keys and commitments that are points: two outputs have the same after 4,600 others. */
function makePoints() {
  const backend = createBackend();
  return Array.from({ length: POINTS }, (_, i) => backend.commitToAmount(BigInt(i)));
}

const points = makePoints();

/**
 * Returns the outputs of a block, half of them Carrot outputs.
 *
 * @param {number} height
 * @returns {ScheduledOutput[]}
 */
function outputsOf(height) {
  return Array.from({ length: OUTPUTS_OF_BLOCK }, (_, i) => {
    const number = height * OUTPUTS_OF_BLOCK + i;
    const [key, commitment] = [7 * number + 1, number].map((at) => points[at % POINTS]);
    if (key === undefined || commitment === undefined) throw new Error('a point is missing');
    const kind = i % 2 === 0 ? 'legacy' : 'carrot';
    return { key, commitment, kind, entersAt: BigInt(height + TREE_AHEAD) };
  });
}

/**
 * Adds blocks to the stored tree in one commit, on this thread.
 *
 * @param {ChainStore} store
 * @param {TreeHasher} hasher
 * @param {number} count
 */
async function addAlone(store, hasher, count) {
  const height = Math.max(0, store.tree.indexes() - TREE_AHEAD);
  const blocks = Array.from({ length: count }, (_, i) => outputsOf(height + i));
  await addBlocks(store, blocks, (before, _, entering) =>
    growByOutputs(hasher, MONERO_SHAPE, before, entering),
  );
}

/**
 * Adds blocks to the stored tree in one commit.
 *
 * @param {ChainStore} store
 * @param {ScheduledOutput[][]} blocks
 * @param {(before: BlockAddition['before'], block: number, entering: BlockAddition['entering']) => OutputGrowth} growthOf
 */
async function addBlocks(store, blocks, growthOf) {
  const height = Math.max(0, store.tree.indexes() - TREE_AHEAD);
  const tree = new CurveTree(new TreeView(store.tree, MONERO_SHAPE, height));
  /** @type {{ addition: BlockAddition, growth: OutputGrowth }[]} */
  const grown = [];
  for (const [i, outputs] of blocks.entries()) {
    const addition = tree.prepare(outputs);
    const growth = growthOf(addition.before, i, addition.entering);
    tree.add(addition, growth);
    grown.push({ addition, growth });
  }
  await store.commit({
    tree: function* (staged) {
      const stored = new CurveTree(staged);
      for (const { addition, growth } of grown) {
        stored.add(addition, growth);
        yield;
      }
    },
  });
}

/**
 * Adds blocks in steps as the one-time build does, the lowest layer on threads. Every output enters with its block, so that what enters is known.
 *
 * @param {ChainStore} store
 * @param {TreeHasher} hasher
 * @param {TreeThreads} threads
 * @param {number} batches
 */
async function buildOn(store, hasher, threads, batches) {
  const first = Math.max(0, store.tree.indexes() - TREE_AHEAD);
  const state = first === 0 ? undefined : store.tree.state(store.tree.indexes() - 1);
  /** @type {PendingGrowth['end'] | { leaves: number, node: Uint8Array | undefined }} */
  let end = { leaves: state?.leaves ?? 0, node: state?.edge[0] };
  /** @type {{ blocks: ScheduledOutput[][], growth: PendingGrowth }[]} */
  const ahead = [];
  for (let read = 0, written = 0; written < batches; written++) {
    for (; read < batches && ahead.length < BATCHES_AHEAD; read++) {
      const from = first + read * BLOCKS_OF_BATCH;
      const blocks = Array.from({ length: BLOCKS_OF_BATCH }, (_, i) => outputsOf(from + i));
      const growth = threads.grow(blocks, end);
      end = growth.end;
      ahead.push({ blocks, growth });
    }
    const batch = ahead.shift();
    if (batch === undefined) return;
    const bottoms = await batch.growth.bottoms;
    await addBlocks(store, batch.blocks, (before, i) => {
      const bottom = bottoms[i];
      if (bottom === undefined) throw new Error('a block is missing');
      return runAtOnce(growthAboveSteps(hasher, MONERO_SHAPE, before, bottom));
    });
  }
}

/**
 * Returns the microseconds of processor time that something takes.
 *
 * @param {() => Promise<void>} work
 */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Commits blocks at the tip, one by one. Returns the milliseconds of processor time of each.
 *
 * @param {ChainStore} store
 * @param {TreeHasher} hasher
 */
async function measureTip(store, hasher) {
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < TIP_BLOCKS; i++) {
    times.push((await cpuOf(() => addAlone(store, hasher, 1))) / 1000);
  }
  return { median: median(times), least: Math.min(...times) };
}

/** @param {string[]} args */
export async function curveTree(args) {
  const { values } = parseArgs({
    args,
    options: {
      outputs: { type: 'string', default: '1000000' },
      threads: { type: 'string', default: '0' },
      tips: { type: 'string', default: '100000,1000000' },
      dir: { type: 'string' },
      out: { type: 'string', default: 'bench-curve-tree.json' },
    },
  });
  const outputs = Number(values.outputs);
  const tips = values.tips.split(',').map(Number);
  const path = mkdtempSync(join(values.dir ?? tmpdir(), 'bench-curve-tree-'));
  const store = await openLmdbStore({ path, syncMode: 'fastest' });
  const hasher = createTreeHasher({
    onFallback: (reason) => console.log(`no native code: ${reason}`),
  });
  const count = Number(values.threads);
  const threads = count === 0 ? undefined : new TreeThreads({ threads: count });
  const rows = [];
  let [spent, elapsed, busy, built, grown] = [0, 0, 0, 0, 0];
  for (const tip of new Set([...tips.filter((each) => each < outputs), outputs])) {
    const first = grown;
    let own = 0;
    const started = performance.now();
    if (threads === undefined) {
      while (grown < tip) {
        own += await cpuOf(() => addAlone(store, hasher, BLOCKS_OF_STEP));
        grown += BLOCKS_OF_STEP * OUTPUTS_OF_BLOCK;
      }
    } else {
      const batches = Math.max(0, Math.ceil((tip - grown) / (BLOCKS_OF_BATCH * OUTPUTS_OF_BLOCK)));
      const loop = performance.eventLoopUtilization();
      own += await cpuOf(() => buildOn(store, hasher, threads, batches));
      busy += performance.eventLoopUtilization(loop).active * 1000;
      grown += batches * BLOCKS_OF_BATCH * OUTPUTS_OF_BLOCK;
    }
    elapsed += (performance.now() - started) * 1000;
    spent += own;
    built += grown - first;
    const { median: middle, least } = await measureTip(store, hasher);
    const usEach = grown === first ? undefined : own / (grown - first);
    grown += TIP_BLOCKS * OUTPUTS_OF_BLOCK;
    const rssMb = process.memoryUsage.rss() / 1e6;
    const diskMb = (statSync(join(path, 'data.mdb')).blocks * 512) / 1e6;
    rows.push({ leaves: tip, usEach, tipMs: middle, leastTipMs: least, rssMb, diskMb });
    console.log(
      `${tip} leaves: ${usEach?.toFixed(0) ?? '–'} us an output, ${middle.toFixed(1)} ms a block at the tip (least ${least.toFixed(1)}), ` +
        `${rssMb.toFixed(0)} MB of memory, ${diskMb.toFixed(0)} MB on disk`,
    );
  }
  await threads?.close();
  await store.close();
  rmSync(path, { recursive: true });
  const each = spent / built;
  const usWall = elapsed / built;
  const hours = (each * MAINNET_OUTPUTS) / US_OF_HOUR;
  console.log(`\n${machineText()}; processor time of all threads`);
  console.log(
    `${each.toFixed(0)} us an output: ${hours.toFixed(1)} h for ${MAINNET_OUTPUTS} outputs; ${usWall.toFixed(0)} us went by on the clock`,
  );
  // The thread that writes is the least that more processors can make of it.
  const usWriter = busy / built;
  const projected = (threads === undefined ? [] : PROCESSORS).map((processors) => {
    const usEach = Math.max(each / processors, usWriter);
    return { processors, usEach, hours: (usEach * MAINNET_OUTPUTS) / US_OF_HOUR };
  });
  for (const { processors, usEach, hours: own } of projected)
    console.log(`${processors} processors: ${usEach.toFixed(0)} us an output, ${own.toFixed(1)} h`);
  warnWhenBusy();
  writeFileSync(
    values.out,
    `${JSON.stringify({ machine: describeMachine(), rows, threads: count, usEach: each, usWall, usWriter, hours, projected }, undefined, 2)}\n`,
  );
}
