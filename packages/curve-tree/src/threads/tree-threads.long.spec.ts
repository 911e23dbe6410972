import { Worker } from 'node:worker_threads';
import { MachineError, runAtOnce } from '@monero-node/base';
import { createBackend } from '@monero-node/crypto';
import type { ChainOutput } from '@monero-node/fcmp';
import { growByOutputs, growthAboveSteps, type TreeBefore } from '../growth.ts';
import { createTreeHasher } from '../hasher.ts';
import { MONERO_SHAPE } from '../shape.ts';
import { type PendingGrowth, TreeThreads } from './tree-threads.ts';

const backend = createBackend();
const NO_POINT = new Uint8Array(32).fill(255);
const open: TreeThreads[] = [];
afterEach(() => Promise.all(open.splice(0).map((threads) => threads.close())));

/** Starts threads, the first of which are others: scripts. */
function start(threads: number, scripts: readonly string[] = []): TreeThreads {
  let started = 0;
  const startWorker = () => {
    const script = scripts[started++];
    if (script !== undefined) return new Worker(script, { eval: true, execArgv: [] });
    return new Worker(new URL(import.meta.resolve('@monero-node/curve-tree/worker')), {
      execArgv: [],
    });
  };
  const own = new TreeThreads({ threads }, { startWorker });
  open.push(own);
  return own;
}

/** Outputs of both kinds, of which some have no leaf. */
function outputsOf(count: number, seed: number): ChainOutput[] {
  return Array.from({ length: count }, (_, i) => {
    const point = backend.commitToAmount(BigInt((seed + i) % 97));
    const key = (seed + i) % 23 === 5 ? NO_POINT : point;
    return { key, commitment: point, kind: i % 3 === 0 ? 'carrot' : 'legacy' };
  });
}

const SIZES = [[0, 1, 46, 0, 3], [37, 700, 38, 76, 1], [0, 0], [], [2, 310], [1, 0]];

test('the lowest layer grows the same on threads, however blocks are cut', async () => {
  const hasher = createTreeHasher();
  const threads = start(2);
  expect(threads.threads).toBe(2);
  const batches = SIZES.map((sizes, i) => sizes.map((size, k) => outputsOf(size, 31 * i + k)));
  const pending: PendingGrowth[] = [];
  for (const blocks of batches)
    pending.push(threads.grow(blocks, pending.at(-1)?.end ?? { leaves: 0, node: undefined }));
  let before: TreeBefore = { leaves: 0, edge: [] };
  for (const [i, blocks] of batches.entries()) {
    const bottoms = await (pending[i] as PendingGrowth).bottoms;
    expect(bottoms).toHaveLength(blocks.length);
    for (const [k, outputs] of blocks.entries()) {
      const whole = growByOutputs(hasher, MONERO_SHAPE, before, outputs);
      const bottom = bottoms[k] as (typeof bottoms)[number];
      const steps = growthAboveSteps(hasher, MONERO_SHAPE, before, bottom);
      expect(runAtOnce(steps)).toEqual(whole);
      const leaves = before.leaves + whole.hasLeaf.filter(Boolean).length;
      before = { leaves, edge: whole.edge };
    }
    expect(await pending[i]?.end).toEqual({ leaves: before.leaves, node: before.edge[0] });
  }
  expect(before.edge).toHaveLength(3);
}, 60_000);

const DYING = `require('node:worker_threads').parentPort.on('message', () => process.exit(3));`;

test('a worker that dies is replaced', async () => {
  const { bottoms } = start(1, [DYING]).grow([outputsOf(2, 1)], { leaves: 0, node: undefined });
  expect((await bottoms)[0]?.hasLeaf).toEqual([true, true]);
}, 60_000);

test('workers that die again and again fail the blocks and those after them, and so does the end of the threads', async () => {
  const threads = start(1, [DYING, DYING]);
  const first = threads.grow([outputsOf(2, 1)], { leaves: 0, node: undefined });
  const second = threads.grow([outputsOf(2, 3)], first.end);
  await expect(first.bottoms).rejects.toThrow(MachineError);
  await expect(second.bottoms).rejects.toThrow(MachineError);
  const last = threads.grow([outputsOf(2, 1)], { leaves: 0, node: undefined });
  await threads.close();
  await expect(last.bottoms).rejects.toThrow(new MachineError('curve tree: closed'));
}, 60_000);
