import { l } from '../curves/fields.ts';
import { edGenerators } from '../curves/generators.ts';
import { biasedHashToPoint, unbiasedHashToPoint } from '../curves/hash-to-point.ts';
import {
  type SecretOutput,
  type NumberSource,
  multipleOf,
  SYSTEM_NUMBERS,
} from '../insecure-prover/prove-spend.ts';
import { proveFcmpPlusPlus, type ProveOptions, type SpentLeaf } from '../insecure-prover/prove.ts';
import { type PathSource, treePath } from '../insecure-prover/tree-path.ts';
import { leafOf, leavesOf } from '../tree/leaf.ts';
import { treeOf } from '../tree/root.ts';
import type { FcmpPlusPlus } from '../verify.ts';

/** An output that a test has made. */
export interface OwnedOutput extends SecretOutput {
  readonly kind: 'legacy' | 'carrot';
}

/** Returns a new output, of a key with two parts if it is one of Carrot. */
export function newOutput(
  kind: OwnedOutput['kind'],
  random: NumberSource = SYSTEM_NUMBERS,
): OwnedOutput {
  const { G, T } = edGenerators();
  const [x, y] = [random(l), kind === 'legacy' ? 0n : random(l)];
  const O = multipleOf(x, G).add(multipleOf(y, T));
  const hash = kind === 'legacy' ? biasedHashToPoint : unbiasedHashToPoint;
  return { x, y, O, I: hash(O.toBytes()), C: multipleOf(random(l), G), kind };
}

/** Returns the tree over outputs that somebody owns, of as many layers as they need. Throws RangeError for an output without a leaf. */
export function ownTree(outputs: readonly OwnedOutput[]): PathSource {
  const found = leavesOf(
    outputs.map(({ O, C, kind }) => ({ key: O.toBytes(), commitment: C.toBytes(), kind })),
  );
  const leaves = found.map((leaf) => {
    if (leaf === undefined) throw new RangeError('an output without a leaf');
    return leaf;
  });
  const layers = treeOf(leaves);
  return {
    counts: [leaves.length, ...layers.map(({ length }) => length)],
    leaves: (from, to) => leaves.slice(from, to),
    node: (layer, place) => layers[layer]?.[place] as Uint8Array,
  };
}

/** A tree of new outputs, and what is spent of it. */
export interface OwnSpends {
  /** The kind of each output. */
  readonly kinds: readonly OwnedOutput['kind'][];
  /** For each proof the places of the outputs that it spends. */
  readonly spends: readonly (readonly number[])[];
  /** The byte of which each message consists. */
  readonly message: number;
}

/** Returns proofs over a tree of new outputs, of as many layers as these need. */
export function proveOwn(
  { kinds, spends, message }: OwnSpends,
  options: ProveOptions = {},
): FcmpPlusPlus[] {
  const outputs = kinds.map((kind) => newOutput(kind, options.random));
  const tree = ownTree(outputs);
  return spends.map((places) => {
    const spent = places.map((place): SpentLeaf => {
      const { x, y, O, C, kind } = outputs[place] as OwnedOutput;
      const leaf = leafOf({ key: O.toBytes(), commitment: C.toBytes(), kind });
      if (leaf === undefined) throw new Error('an output without a leaf');
      return { leaf, x, y, path: treePath(tree, place) };
    });
    return proveFcmpPlusPlus(new Uint8Array(32).fill(message), spent, options);
  });
}
