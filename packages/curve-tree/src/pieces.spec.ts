import type { ChainOutput, NodeChange } from '@monero-node/fcmp';
import { runAtOnce } from '@monero-node/base';
import { ed25519 } from '@noble/curves/ed25519.js';
import { growByOutputs, growthSteps, type TreeBefore } from './growth.ts';
import {
  createTreeHasher,
  type GrowthPieces,
  REFERENCE_HASHER,
  type TreeHasher,
} from './hasher.ts';
import { MONERO_SHAPE } from './shape.ts';
import { TOY_HASHER } from './testing/toy-hasher.ts';

const SHAPE = { leaves: 5, helios: 3, selene: 4 };
const [OUTPUTS, CHILDREN] = [3, 4];

/** The toy, which notes how much it is given at once. */
class Noting implements TreeHasher {
  outputs = 0;
  children = 0;
  readonly prepared = { Helios: 0, Selene: 0 };
  readonly pieces: GrowthPieces = {
    outputs: OUTPUTS,
    children: CHILDREN,
    prepare: (curve, places) => this.#prepare(curve, places),
  };

  *#prepare(curve: 'Helios' | 'Selene', places: number): Generator<undefined, void> {
    for (; this.prepared[curve] < places; this.prepared[curve]++) yield;
  }

  leavesOf(outputs: readonly ChainOutput[]): ReturnType<TreeHasher['leavesOf']> {
    this.outputs = Math.max(this.outputs, outputs.length);
    return TOY_HASHER.leavesOf(outputs);
  }

  grow(changes: readonly NodeChange[]): readonly Uint8Array[] {
    const children = changes.reduce((sum, change) => sum + change.children.length, 0);
    this.children = Math.max(this.children, children);
    for (const { curve, offset, children: own } of changes) {
      if (offset + own.length > this.prepared[curve]) throw new Error('no table');
    }
    return TOY_HASHER.grow(changes);
  }
}

function outputsOf(count: number, seed: number): ChainOutput[] {
  return Array.from({ length: count }, (_, i) => {
    const key = Uint8Array.from({ length: 32 }, (_, at) => (seed + 7 * i + at) % 256);
    return { key, commitment: key, kind: 'legacy' };
  });
}

test('a tree that grows in pieces is the same as one that grows at once', () => {
  const hasher = new Noting();
  let before: TreeBefore = { leaves: 0, edge: [] };
  for (const [seed, count] of [1, 4, 0, 30, 2, 200, 7].entries()) {
    const outputs = outputsOf(count, seed);
    const whole = growByOutputs(TOY_HASHER, SHAPE, before, outputs);
    expect(runAtOnce(growthSteps(hasher, SHAPE, before, outputs))).toEqual(whole);
    const leaves = before.leaves + whole.hasLeaf.filter(Boolean).length;
    before = { leaves, edge: whole.edge };
  }
  expect(before.leaves).toBeGreaterThan(150);
  expect([hasher.outputs, hasher.children]).toEqual([OUTPUTS, CHILDREN]);
  expect(hasher.prepared).toEqual({ Helios: SHAPE.helios, Selene: 6 * SHAPE.leaves });
});

test('growth by very many outputs lets others have a turn after every piece', () => {
  const outputs = outputsOf(300, 3);
  const steps = growthSteps(new Noting(), SHAPE, { leaves: 0, edge: [] }, outputs);
  let turns = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) turns++;
  const pieces = Math.ceil(outputs.length / OUTPUTS);
  expect(turns).toBeGreaterThan(
    pieces + (6 * step.value.hasLeaf.filter(Boolean).length) / CHILDREN,
  );
});

test('every hasher grows the same in pieces', () => {
  const outputs = [2, 3, 7].flatMap((k): ChainOutput[] => {
    const key = ed25519.Point.BASE.multiply(BigInt(k)).toBytes();
    return [
      { key, commitment: key, kind: 'legacy' },
      { key, commitment: key, kind: 'carrot' },
    ];
  });
  const before = { leaves: 0, edge: [] };
  const whole = growByOutputs(REFERENCE_HASHER, MONERO_SHAPE, before, outputs);
  for (const arithmetic of ['reference', 'wasm', 'auto'] as const) {
    const hasher = createTreeHasher({ arithmetic });
    const steps = growthSteps(hasher, MONERO_SHAPE, before, outputs);
    expect(runAtOnce(steps)).toEqual(whole);
  }
});
