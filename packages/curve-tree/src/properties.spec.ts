import { type RandomSource, seededRandom } from '@monero-node/base';
import { sampleSize } from '@monero-node/base/testing';
import { fromHex, toHex } from '@monero-node/codec';
import { emptyNode, nodeAsChild } from '@monero-node/fcmp';
import { ed25519 } from '@noble/curves/ed25519.js';
import { CurveTree } from './curve-tree.ts';
import { edgeOf } from './growth.ts';
import type { TreeHasher } from './hasher.ts';
import { MemoryTreeStore } from './memory-store.ts';
import type { ScheduledOutput } from './schedule.ts';
import { TREE_AHEAD } from '@monero-node/consensus';
import { MONERO_SHAPE, type TreeShape } from './shape.ts';
import { contentsOf } from './testing/contents.ts';
import { RememberingHasher } from './testing/remembering-hasher.ts';
import { TOY_HASHER } from './testing/toy-hasher.ts';

type Blocks = readonly (readonly ScheduledOutput[])[];
/** Indexes for which outputs of the sequences wait at the most. */
const LONGEST_LOCK = 24;

/** Computes the layers over the outputs that an index holds, from the definition alone. */
function rebuilt(hasher: TreeHasher, shape: TreeShape, blocks: Blocks, index: number): string[][] {
  const ids = blocks.flat().map((output, id) => ({ output, id }));
  const held = ids
    .filter(({ output }) => output.entersAt <= BigInt(index))
    .sort((a, b) => Number(a.output.entersAt - b.output.entersAt) || a.id - b.id);
  const leaves = hasher
    .leavesOf(held.map(({ output }) => output))
    .filter((leaf) => leaf !== undefined);
  const layers: Uint8Array[][] = [];
  const above = (children: Uint8Array[], width: number): void => {
    const curve = layers.length % 2 === 0 ? 'Selene' : 'Helios';
    const nodes: Uint8Array[] = [];
    for (let at = 0; at < children.length; at += width) {
      const change = {
        curve,
        node: emptyNode(curve),
        offset: 0,
        childAtOffset: new Uint8Array(32),
      } as const;
      nodes.push(...hasher.grow([{ ...change, children: children.slice(at, at + width) }]));
    }
    layers.push(nodes);
  };
  if (leaves.length > 0)
    above(
      leaves.flatMap(({ elements }) => [...elements]),
      6 * shape.leaves,
    );
  for (let last = layers.at(-1); last !== undefined && last.length > 1; last = layers.at(-1)) {
    above(last.map(nodeAsChild), layers.length % 2 === 0 ? shape.selene : shape.helios);
  }
  return layers.map((nodes) => nodes.map(toHex));
}

/** A tree and the blocks in it, which grows and is taken back at random. */
class RandomChain {
  readonly blocks: ScheduledOutput[][] = [];
  readonly store = new MemoryTreeStore();
  readonly tree: CurveTree;
  readonly #random: RandomSource;
  readonly #hasher: TreeHasher;
  readonly #shape: TreeShape;
  readonly #outputs: (random: RandomSource) => Omit<ScheduledOutput, 'entersAt'>;

  constructor(
    seed: number,
    hasher: TreeHasher,
    shape: TreeShape,
    outputs: (random: RandomSource) => Omit<ScheduledOutput, 'entersAt'>,
  ) {
    this.#random = seededRandom(seed);
    this.#hasher = hasher;
    this.#shape = shape;
    this.#outputs = outputs;
    this.tree = new CurveTree(this.store, { hasher, shape });
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Most outputs enter at once, some later, as those of miners and with time locks do, and some never in these tests. */
  #output(height: number, longest: number): ScheduledOutput {
    const roll = this.#random();
    const wait = roll < 0.6 ? 0 : roll < 0.97 ? this.#below(longest) : 1_000;
    return { ...this.#outputs(this.#random), entersAt: BigInt(height + TREE_AHEAD + wait) };
  }

  step(): void {
    if (this.#random() < 0.6) {
      for (let count = 1 + this.#below(4); count > 0; count--) {
        const height = this.blocks.length;
        const block = Array.from({ length: this.#below(6) }, () =>
          this.#output(height, LONGEST_LOCK / 3),
        );
        this.tree.addBlock(block);
        this.blocks.push(block);
      }
    } else {
      for (let count = Math.min(this.blocks.length, 1 + this.#below(7)); count > 0; count--) {
        this.tree.takeBack(this.blocks.pop() as ScheduledOutput[]);
      }
    }
  }

  contents(): unknown {
    return contentsOf(this.store, this.#shape, this.blocks.length + LONGEST_LOCK);
  }

  /** All that is stored is what the blocks make without any taking back, and the nodes are those of a rebuild. */
  check(): void {
    const index = this.store.indexes() - 1;
    const layers = index < 0 ? [] : rebuilt(this.#hasher, this.#shape, this.blocks, index);
    expect(this.contents()).toMatchObject({ nodes: layers });
    const straight = new MemoryTreeStore();
    const tree = new CurveTree(straight, { hasher: this.#hasher, shape: this.#shape });
    for (const block of this.blocks) tree.addBlock(block);
    const last = this.blocks.length + LONGEST_LOCK;
    expect(this.contents()).toEqual(contentsOf(straight, this.#shape, last));
    if (index < 0) return;
    const earlier = Math.floor(this.#random() * (index + 1));
    const state = this.store.state(earlier);
    expect(state.edge.map(toHex)).toEqual(
      rebuilt(this.#hasher, this.#shape, this.blocks, earlier).map((nodes) => nodes.at(-1)),
    );
    expect(edgeOf(this.#hasher, this.#shape, this.store, state.leaves)).toEqual(state.edge);
  }
}

function randomBytes(random: RandomSource): Uint8Array {
  return Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
}

test('random sequences of blocks and reorganizations equal a rebuild: the arithmetic of a small field', () => {
  const sequences = sampleSize({ usual: 300, whole: 10_000 });
  let mostLayers = 0;
  for (let seed = 0; seed < sequences; seed++) {
    const shape = { leaves: 1 + (seed % 3), helios: 2 + (seed % 2), selene: 2 + (seed % 4) };
    const chain = new RandomChain(seed, TOY_HASHER, shape, (random) => ({
      key: randomBytes(random),
      commitment: randomBytes(random),
      kind: random() < 0.5 ? 'legacy' : 'carrot',
    }));
    for (let step = 0; step < 12; step++) chain.step();
    chain.check();
    const layers =
      chain.store.indexes() > 0 ? chain.tree.rootAt(chain.store.indexes() - 1).layers : 0;
    mostLayers = Math.max(mostLayers, layers);
  }
  expect(mostLayers).toBeGreaterThan(5);
});

/** A point of order 8. */
const TORSION = ed25519.Point.fromHex(
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
);
const NO_POINTS = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0200000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
].map(fromHex);

/** Outputs of both kinds, with and without torsion, and such that have no leaf. */
function pool(): Omit<ScheduledOutput, 'entersAt'>[] {
  const { BASE } = ed25519.Point;
  return Array.from({ length: 60 }, (_, i) => {
    const point = BASE.multiply(BigInt(i + 2));
    const commitment = BASE.multiply(BigInt(1_000 + (i % 7))).toBytes();
    if (i % 6 === 0)
      return { key: NO_POINTS[(i / 6) % 5] as Uint8Array, commitment, kind: 'legacy' };
    if (i % 6 === 1) return { key: point.add(TORSION).toBytes(), commitment, kind: 'legacy' };
    if (i % 6 === 2)
      return { key: point.toBytes(), commitment: NO_POINTS[i % 5] as Uint8Array, kind: 'legacy' };
    return { key: point.toBytes(), commitment, kind: i % 2 === 0 ? 'carrot' : 'legacy' };
  });
}

test.each([
  ['narrow', { leaves: 2, helios: 2, selene: 3 }, { usual: 4, whole: 200 }],
  ['as wide as Monero has them', MONERO_SHAPE, { usual: 2, whole: 50 }],
])('random sequences equal a rebuild: the curves, nodes %s', (_, shape, sizes) => {
  const outputs = pool();
  const hasher = new RememberingHasher();
  const sequences = sampleSize(sizes);
  for (let seed = 0; seed < sequences; seed++) {
    const chain = new RandomChain(1_000 + seed, hasher, shape, (random) => {
      const output = outputs[Math.floor(random() * outputs.length)];
      return output as Omit<ScheduledOutput, 'entersAt'>;
    });
    for (let step = 0; step < 8; step++) chain.step();
    chain.check();
  }
});
