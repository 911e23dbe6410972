import { HELIOS_WIDTH, LEAF_OUTPUTS, nodeAsChild, SELENE_WIDTH } from '../tree/hash.ts';
import type { Leaf } from '../tree/leaf.ts';

/** The branches from a leaf to the root of a tree. */
export interface TreePath {
  /** The children of each branch, 32 bytes each, from the leaves up: six elements for an output, then one for a node. */
  readonly branches: readonly (readonly Uint8Array[])[];
  /** The node over each branch, 32 bytes; the last one is the root. */
  readonly nodes: readonly Uint8Array[];
}

/** A tree that paths are read from. */
export interface PathSource {
  /** How many leaves there are, and how many nodes each layer has, that above the leaves first. */
  readonly counts: readonly number[];
  /** Returns leaves from one place up to another, exclusive. */
  leaves(from: number, to: number): readonly Leaf[];
  /** Returns a node, 32 bytes; layer 0 is that above the leaves. */
  node(layer: number, place: number): Uint8Array;
}

const widthOf = (layer: number): number =>
  layer === 0 ? LEAF_OUTPUTS : layer % 2 === 1 ? HELIOS_WIDTH : SELENE_WIDTH;

/** Returns the path of the leaf at a place. Throws RangeError for a place where there is none. */
export function treePath(source: PathSource, place: number): TreePath {
  const { counts } = source;
  if (!(Number.isInteger(place) && place >= 0 && place < (counts[0] ?? 0))) {
    throw new RangeError(`no leaf ${place}`);
  }
  const branches: Uint8Array[][] = [];
  const nodes: Uint8Array[] = [];
  let at = place;
  for (let layer = 0; layer + 1 < counts.length; layer++) {
    const width = widthOf(layer);
    at = Math.floor(at / width);
    const [from, to] = [at * width, Math.min((at + 1) * width, counts[layer] as number)];
    branches.push(
      layer === 0
        ? source.leaves(from, to).flatMap(({ elements }) => elements)
        : Array.from({ length: to - from }, (_, i) =>
            nodeAsChild(source.node(layer - 1, from + i)),
          ),
    );
    nodes.push(source.node(layer, at));
  }
  return { branches, nodes };
}
