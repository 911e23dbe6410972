import { bytesToNumberLE } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { createFcmpBackend } from '../choose-backend.ts';
import { REFERENCE_BACKEND } from '../backend/reference.ts';
import { decodeEdPointWithTorsion } from '../curves/ed25519.ts';
import { l, reduceWide } from '../curves/fields.ts';
import { edGenerators } from '../curves/generators.ts';
import { emptyNode, hashGrow, NO_CHILD, nodeAsChild } from '../tree/hash.ts';
import { leafOf } from '../tree/leaf.ts';
import { newOutput, type OwnedOutput, ownTree, proveOwn } from '../testing/own-tree.ts';
import { seededNumbers } from '../testing/seeded-numbers.ts';
import { type FcmpPlusPlus, verifyFcmpPlusPlus } from '../verify.ts';
import { multipleOf, withTorsion } from './prove-spend.ts';
import { proveFcmpPlusPlus } from './prove.ts';
import type { NumberSource } from './prove-spend.ts';
import { type TreePath, treePath } from './tree-path.ts';

const seeded = (name: string): NumberSource => {
  const numbers = seededNumbers(name);
  return (modulus) => 1n + numbers.below(modulus - 1n);
};

/** Both kinds in turn. */
const kindsOf = (count: number): OwnedOutput['kind'][] =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'legacy' : 'carrot'));

const backends = [REFERENCE_BACKEND, createFcmpBackend()];

function expectAccepted(proof: FcmpPlusPlus): void {
  for (const backend of backends) {
    expect(verifyFcmpPlusPlus(proof, backend)).toBe(true);
    expect(verifyFcmpPlusPlus({ ...proof, message: new Uint8Array(32) }, backend)).toBe(false);
  }
}

test.each([
  { outputs: 1, spends: [[0]], layers: 1 },
  { outputs: 38, spends: [[37, 0]], layers: 1 },
  { outputs: 40, spends: [[39], [0, 38, 39]], layers: 2 },
  // One output twice, which is for the node to refuse.
  { outputs: 685, spends: [[684], [0, 683, 0]], layers: 3 },
])('$outputs outputs of both kinds, $layers layers: both backends accept $spends', (each) => {
  for (const proof of proveOwn({ ...each, kinds: kindsOf(each.outputs), message: 7 })) {
    expect(proof.layers).toBe(each.layers);
    expectAccepted(proof);
  }
});

test('eight inputs of a tree of two layers', () => {
  const spends = [[0, 5, 11, 17, 23, 29, 35, 39]];
  const [proof] = proveOwn({ kinds: kindsOf(40), spends, message: 7 });
  expectAccepted(proof as FcmpPlusPlus);
});

/** Returns the path to the last leaf of the smallest tree of so many layers; all others are one output again and again, so that little is hashed. */
function lastPath(layers: number, own: OwnedOutput, other: OwnedOutput): TreePath {
  const elementsOf = ({ O, C, kind }: OwnedOutput): readonly Uint8Array[] =>
    leafOf({ key: O.toBytes(), commitment: C.toBytes(), kind })?.elements ?? [];
  const widths = Array.from({ length: layers }, (_, k) => (k === 0 ? 38 : k % 2 === 1 ? 18 : 38));
  const branches = [elementsOf(own)];
  let full = Array.from({ length: 38 }, () => elementsOf(other)).flat();
  const nodes: Uint8Array[] = [];
  for (let k = 0; k < layers; k++) {
    const curve = k % 2 === 0 ? 'Selene' : 'Helios';
    const nodeOf = (children: readonly Uint8Array[]) =>
      hashGrow({ curve, node: emptyNode(curve), offset: 0, childAtOffset: NO_CHILD, children });
    const node = nodeOf(branches[k] as Uint8Array[]);
    nodes.push(node);
    const sibling = nodeAsChild(nodeOf(full));
    full = Array.from({ length: widths[k + 1] ?? 0 }, () => sibling);
    const children = k === layers - 2 ? [sibling, nodeAsChild(node)] : [nodeAsChild(node)];
    if (k + 1 < layers) branches.push(children);
  }
  return { branches, nodes };
}

test.each([4, 5, 7])('a tree of %d layers', (layers) => {
  const [own, other] = [newOutput('carrot'), newOutput('legacy')];
  const { x, y } = own;
  const leaf = { O: own.O.toBytes(), I: own.I.toBytes(), C: own.C.toBytes() };
  const path = lastPath(layers, own, other);
  const proof = proveFcmpPlusPlus(new Uint8Array(32).fill(7), [{ leaf, x, y, path }]);
  expect(proof.layers).toBe(layers);
  expectAccepted(proof);
});

test('the same numbers make the same proof, and others another', () => {
  const proofOf = (name: string) =>
    proveOwn({ kinds: kindsOf(3), spends: [[1]], message: 1 }, { random: seeded(name) })[0];
  expect(proofOf('one')).toEqual(proofOf('one'));
  expect(proofOf('one')?.proof).not.toEqual(proofOf('two')?.proof);
});

test('a key image with torsion is refused, though the equation of the paper holds for it', () => {
  const [output] = kindsOf(1).map((kind) => newOutput(kind));
  if (output === undefined) throw new Error('no output');
  const { x, y, O, I, C } = output;
  const leaf = { O: O.toBytes(), I: I.toBytes(), C: C.toBytes() };
  const path = treePath(ownTree([output]), 0);
  const message = new Uint8Array(32).fill(3);
  const proof = proveFcmpPlusPlus(message, [{ leaf, x, y, path, isImageTorsioned: true }]);
  const image = multipleOf(x, I).toBytes();
  expect(proof.keyImages).toEqual([withTorsion(image)]);
  for (const backend of backends) expect(verifyFcmpPlusPlus(proof, backend)).toBe(false);
  // R_L + e·keyImage = s_α·I~ - s_z·U, as for the image without torsion.
  const at = (i: number) => proof.proof.subarray(32 * i, 32 * (i + 1));
  const [tuple, points] = [[0, 1, 2].map(at), [3, 4, 5, 6, 7, 8].map(at)];
  const [sAlpha, sZ] = [9, 13].map((i) => bytesToNumberLE(at(i)));
  const [keyImage] = proof.keyImages as [Uint8Array];
  const [pseudoOut] = proof.pseudoOuts as [Uint8Array];
  const inputs = [tuple[0], tuple[1], pseudoOut, tuple[2]] as Uint8Array[];
  const hash = blake2b(concatBytes(message, ...inputs, keyImage, ...points), { dkLen: 64 });
  const e = reduceWide(hash, l);
  const RL = decodeEdPointWithTorsion(points[5] as Uint8Array);
  const left = RL.add(decodeEdPointWithTorsion(keyImage).multiplyUnsafe(e));
  const shown = decodeEdPointWithTorsion(tuple[1] as Uint8Array);
  const right = multipleOf(sAlpha as bigint, shown).subtract(
    multipleOf(sZ as bigint, edGenerators().U),
  );
  expect(left.equals(right)).toBe(true);
});

test('what is not in the tree, or of two trees, cannot be proved', () => {
  const outputs = kindsOf(3).map((kind) => newOutput(kind));
  const [one, other] = [ownTree(outputs), ownTree(outputs.slice(1))];
  const spent = (tree: typeof one, output = outputs[1] as OwnedOutput, place = 1) => {
    const { x, y, O, I, C } = output;
    const leaf = { O: O.toBytes(), I: I.toBytes(), C: C.toBytes() };
    return { leaf, x, y, path: treePath(tree, place) };
  };
  const message = new Uint8Array(32);
  const stranger = spent(one, newOutput('carrot'));
  expect(() => proveFcmpPlusPlus(message, [stranger])).toThrow('does not hold');
  expect(() => proveFcmpPlusPlus(message, [spent(one), spent(other)])).toThrow(RangeError);
  expect(() => proveFcmpPlusPlus(message, [])).toThrow(RangeError);
  expect(() => treePath(one, 3)).toThrow(RangeError);
  // Secrets of another output: a proof, but a false one.
  const wrong = proveFcmpPlusPlus(message, [{ ...spent(one), x: 5n }]);
  for (const backend of backends) expect(verifyFcmpPlusPlus(wrong, backend)).toBe(false);
});
