import { runAtOnce } from '@monero-node/base';
import { createHash } from 'node:crypto';
import { sampleSize } from '@monero-node/base/testing';
import { toHex } from '@monero-node/codec';
import type { ChainOutput, Leaf } from '@monero-node/fcmp';
import { ed25519 } from '@noble/curves/ed25519.js';
import { edgeOf, growEdge } from './growth.ts';
import { createTreeHasher, type TreeHasher } from './hasher.ts';
import { MemoryTreeStore } from './memory-store.ts';
import { MONERO_SHAPE, nodesOf } from './shape.ts';
import { readRoots, type RecordedRoot } from './testing/fixtures.ts';

const { BASE, fromHex } = ed25519.Point;
const T = fromHex('61b736ce93b62a3d3778ab204da85d3b4cdc07250f5da7e3df2629928134d526');
const H = fromHex('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94');
const recorded = readRoots();
// The fastest is the native one, where there is an addon.
const HASHERS = ['auto', 'wasm', 'reference'] as const;
const hasherOf = (arithmetic: (typeof HASHERS)[number]) => createTreeHasher({ arithmetic });

/** Returns the outputs over which the trees of the library were made: each point is a sum of the ones before. */
function* known(kind: ChainOutput['kind']): Generator<ChainOutput> {
  const [keyStep, commitmentStep] = [kind === 'legacy' ? BASE : BASE.add(T), BASE.add(H)];
  let [key, commitment] = [keyStep, commitmentStep];
  for (;;) {
    yield { key: key.toBytes(), commitment: commitment.toBytes(), kind };
    [key, commitment] = [key.add(keyStep), commitment.add(commitmentStep)];
  }
}

function take<T>(count: number, all: Iterator<T>): T[] {
  return Array.from({ length: count }, () => all.next().value as T);
}

/** A tree that grows from one recorded number of leaves to the next, and whose nodes are kept. */
class Growing {
  readonly store = new MemoryTreeStore();
  readonly #hasher: TreeHasher;
  #edge: readonly Uint8Array[] = [];
  #leaves = 0;

  constructor(hasher: TreeHasher) {
    this.#hasher = hasher;
  }

  grow(outputs: readonly ChainOutput[]): Leaf[] {
    const leaves = this.#hasher.leavesOf(outputs) as Leaf[];
    const before = { leaves: this.#leaves, edge: this.#edge };
    const { edge, nodes } = growEdge(this.#hasher, MONERO_SHAPE, before, leaves);
    const first = this.#leaves;
    this.#leaves += leaves.length;
    this.#edge = edge;
    runAtOnce(
      this.store.pushSteps({
        state: { leaves: this.#leaves, outputs: this.#leaves, edge },
        leaves: outputs.map((output, i) => ({ ...output, unifiedId: first + i })),
        skipped: [],
        nodes,
      }),
    );
    return leaves;
  }

  expect({ n, hashesPerLayer, lastHashes }: RecordedRoot): void {
    const hex = (edge: readonly Uint8Array[]) => [n, edge.map(toHex)];
    expect([this.#leaves, nodesOf(MONERO_SHAPE, n)]).toEqual([n, hashesPerLayer]);
    expect(hex(this.#edge)).toEqual([n, lastHashes]);
    expect(hex(edgeOf(this.#hasher, MONERO_SHAPE, this.store, n))).toEqual([n, lastHashes]);
  }
}

test.each(HASHERS.flatMap((name) => [[name, 'legacy'] as const, [name, 'carrot'] as const]))(
  '%s: %s outputs have the leaves and roots of the library',
  (name, kind) => {
    const { roots, leavesSha256, leafCount, scalars } = recorded[kind];
    const most = sampleSize({ usual: 100, whole: 26_000 });
    const outputs = known(kind);
    const growing = new Growing(hasherOf(name));
    const points = createHash('sha256');
    let leaves = 0;
    for (const root of roots.filter(({ n }) => n <= most)) {
      const made = growing.grow(take(root.n - leaves, outputs));
      for (const [i, { O, I, C, elements }] of made.entries()) {
        if (leaves + i < leafCount) points.update(O).update(I).update(C);
        const expected = scalars[leaves + i];
        if (expected !== undefined) expect(elements.map(toHex).join('')).toBe(expected);
      }
      leaves = root.n;
      growing.expect(root);
    }
    expect(leaves).toBe(most);
    if (leaves >= leafCount) expect(points.digest('hex')).toBe(leavesSha256);
  },
  1_200_000,
);

test.each(HASHERS)('%s: trees over other commitments, and over both kinds at once', (name) => {
  const most = sampleSize({ usual: 39, whole: 685 });
  for (const root of recorded.vectors.filter(({ n }) => n <= most)) {
    const outputs = Array.from({ length: root.n }, (_, i): ChainOutput => {
      const isLegacy = root.kind === 'legacy' || (root.kind !== 'carrot' && i < 20);
      const key = BASE.multiply(BigInt(i + 1)).toBytes();
      const commitment = BASE.add(H.multiply(BigInt(i + 1))).toBytes();
      return { key, commitment, kind: isLegacy ? 'legacy' : 'carrot' };
    });
    const growing = new Growing(hasherOf(name));
    growing.grow(outputs);
    growing.expect(root);
  }
});

test('seven layers hold what twelve are for', () => {
  expect(nodesOf(MONERO_SHAPE, 38)).toEqual([1]);
  expect(nodesOf(MONERO_SHAPE, 684)).toHaveLength(2);
  expect(nodesOf(MONERO_SHAPE, 684 ** 3)).toHaveLength(6);
  expect(nodesOf(MONERO_SHAPE, 684 ** 3 + 1)).toHaveLength(7);
  const narrow = { leaves: 1, helios: 2, selene: 2 };
  expect(nodesOf(narrow, 2 ** 11)).toHaveLength(12);
  expect(() => nodesOf(narrow, 2 ** 11 + 1)).toThrow(RangeError);
});
