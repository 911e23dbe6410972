import { runAtOnce } from '@monero-node/base';
import {
  emptyNode,
  type ChainOutput,
  type Leaf,
  LEAF_ELEMENTS,
  NO_CHILD,
  nodeAsChild,
  type NodeChange,
} from '@monero-node/fcmp';
import type { GrowthPieces, TreeHasher } from './hasher.ts';
import type { NodeRun, TreeReader } from '@monero-node/storage/memory';
import { curveOf, nodesOf, type TreeShape, widthOf } from './shape.ts';

/** What has to be known of a tree that is to grow. */
export interface TreeBefore {
  readonly leaves: number;
  /** The last node of each layer, 32 bytes, the root last. */
  readonly edge: readonly Uint8Array[];
}

/** A tree after it has grown. */
export interface Growth {
  readonly edge: readonly Uint8Array[];
  readonly nodes: readonly NodeRun[];
}

/** A tree after outputs have entered. */
export interface OutputGrowth extends Growth {
  /** For each output whether it has a leaf. */
  readonly hasLeaf: readonly boolean[];
}

/**
 * Makes the leaves of outputs and grows a tree by them, as `growEdge` does: all the arithmetic of a block, from values that can be sent to a
 * thread.
 *
 * @param outputs in the order in which they enter
 */
export function growByOutputs(
  hasher: TreeHasher,
  shape: TreeShape,
  before: TreeBefore,
  outputs: readonly ChainOutput[],
): OutputGrowth {
  return runAtOnce(growthSteps(hasher, shape, before, outputs, undefined));
}

/** Does the same in steps, each of which is a piece of work: a block may let in any number of outputs. */
export function* growthSteps(
  hasher: TreeHasher,
  shape: TreeShape,
  before: TreeBefore,
  outputs: readonly ChainOutput[],
  pieces: GrowthPieces | undefined = hasher.pieces,
): Generator<undefined, OutputGrowth> {
  const hasLeaf: boolean[] = [];
  const bottom = new BottomRun(hasher, shape, before);
  const most = pieces === undefined ? outputs.length : OUTPUTS_AT_ONCE;
  for (let at = 0; at < outputs.length; at += most) {
    const leaves: Leaf[] = [];
    for (const leaf of yield* leafSteps(hasher, outputs.slice(at, at + most), pieces)) {
      hasLeaf.push(leaf !== undefined);
      if (leaf !== undefined) leaves.push(leaf);
    }
    yield* bottom.growSteps(leaves, pieces);
  }
  const { edge, nodes } = yield* upperSteps(hasher, shape, before, bottom, pieces);
  return { edge, nodes, hasLeaf };
}

/** Outputs whose leaves are kept in memory until they are hashed, a kilobyte each. */
const OUTPUTS_AT_ONCE = 1024;

function* leafSteps(
  hasher: TreeHasher,
  outputs: readonly ChainOutput[],
  pieces: GrowthPieces | undefined,
): Generator<undefined, (Leaf | undefined)[]> {
  const most = pieces?.outputs ?? outputs.length;
  const leaves: (Leaf | undefined)[] = [];
  for (let at = 0; at < outputs.length; at += most) {
    leaves.push(...hasher.leavesOf(outputs.slice(at, at + most)));
    yield;
  }
  return leaves;
}

/** The nodes above the leaves that are new or change, which grow by some leaves after others. */
class BottomRun {
  readonly #hasher: TreeHasher;
  readonly #shape: TreeShape;
  readonly #from: number;
  readonly #nodes: Uint8Array[] = [];
  #before: TreeBefore;
  /** How many leaves are new. */
  leaves = 0;

  constructor(hasher: TreeHasher, shape: TreeShape, before: TreeBefore) {
    this.#hasher = hasher;
    this.#shape = shape;
    this.#before = before;
    this.#from = Math.floor(before.leaves / shape.leaves);
  }

  get bottom(): NodeRun {
    return { layer: 0, from: this.#from, nodes: this.#nodes };
  }

  *growSteps(
    leaves: readonly Leaf[],
    pieces: GrowthPieces | undefined,
  ): Generator<undefined, void> {
    if (leaves.length === 0) return;
    const elements = leaves.flatMap((leaf) => leaf.elements);
    const { from, nodes } = changesAboveLeaves(this.#shape, this.#before, elements);
    // The first may be the last of those before, with more leaves.
    this.#nodes.length = from - this.#from;
    for (const node of yield* nodeSteps(this.#hasher, nodes, pieces)) this.#nodes.push(node);
    this.leaves += leaves.length;
    const edge = [this.#nodes.at(-1) as Uint8Array];
    this.#before = { leaves: this.#before.leaves + leaves.length, edge };
  }
}

/**
 * Grows a tree of which only its edge is known. Costs the new leaves and, for each layer, the nodes above them; what was there before is
 * not read. Throws RangeError for more than 12 layers.
 *
 * @param leaves in order
 */
export function growEdge(
  hasher: TreeHasher,
  shape: TreeShape,
  before: TreeBefore,
  leaves: readonly Leaf[],
): Growth {
  const bottom = new BottomRun(hasher, shape, before);
  runAtOnce(bottom.growSteps(leaves, undefined));
  return runAtOnce(upperSteps(hasher, shape, before, bottom, undefined));
}

/** What outputs make of the lowest layer of a tree. */
export interface BottomGrowth {
  /** For each output whether it has a leaf. */
  readonly hasLeaf: readonly boolean[];
  /** The nodes above the leaves that are new or change, in order, 32 bytes each. */
  readonly nodes: readonly Uint8Array[];
}

/** Grows the layers above the lowest, which others have grown: what is left of `growthSteps`, a few percent of its work for a block of mainnet. */
export function* growthAboveSteps(
  hasher: TreeHasher,
  shape: TreeShape,
  before: TreeBefore,
  { hasLeaf, nodes }: BottomGrowth,
): Generator<undefined, OutputGrowth> {
  const leaves = hasLeaf.filter(Boolean).length;
  const bottom = { layer: 0, from: Math.floor(before.leaves / shape.leaves), nodes };
  const growth = yield* upperSteps(hasher, shape, before, { bottom, leaves }, hasher.pieces);
  return { ...growth, hasLeaf };
}

function* upperSteps(
  hasher: TreeHasher,
  shape: TreeShape,
  before: TreeBefore,
  { bottom, leaves }: { readonly bottom: NodeRun; readonly leaves: number },
  pieces: GrowthPieces | undefined,
): Generator<undefined, Growth> {
  if (leaves === 0) return { edge: before.edge, nodes: [] };
  const countsBefore = nodesOf(shape, before.leaves);
  const layers = nodesOf(shape, before.leaves + leaves).length;
  const runs = [bottom];
  for (let layer = 1, below = bottom; layer < layers; layer++) {
    const countBelow = countsBefore[layer - 1] ?? 0;
    const { from, nodes } = changesAbove(shape, layer, { below, countBelow }, before.edge);
    below = { layer, from, nodes: yield* nodeSteps(hasher, nodes, pieces) };
    runs.push(below);
  }
  return { edge: runs.map(({ nodes }) => nodes.at(-1) as Uint8Array), nodes: runs };
}

/** Computes nodes, a piece of the children of one after another: what they add to a node is a sum. */
function* nodeSteps(
  hasher: TreeHasher,
  changes: readonly NodeChange[],
  pieces: GrowthPieces | undefined,
): Generator<undefined, readonly Uint8Array[]> {
  if (pieces === undefined) return hasher.grow(changes);
  const most = pieces.children;
  const nodes: Uint8Array[] = [];
  for (const change of changes) {
    let { node, childAtOffset } = change;
    const places = change.offset + change.children.length;
    if (pieces.prepare !== undefined) yield* pieces.prepare(change.curve, places);
    for (let at = 0; at < change.children.length; at += most) {
      const children = change.children.slice(at, at + most);
      const offset = change.offset + at;
      [node = node] = hasher.grow([{ ...change, node, offset, childAtOffset, children }]);
      childAtOffset = NO_CHILD;
      yield;
    }
    nodes.push(node);
  }
  return nodes;
}

interface Changes {
  /** Place of the first node. */
  readonly from: number;
  readonly nodes: readonly NodeChange[];
}

/**
 * Returns what new leaves change in the layer above them.
 *
 * @param elements of the leaves in order, six of 32 bytes each, little-endian
 */
export function changesAboveLeaves(
  shape: TreeShape,
  before: TreeBefore,
  elements: readonly Uint8Array[],
): Changes {
  return changesOf('Selene', LEAF_ELEMENTS * shape.leaves, {
    first: LEAF_ELEMENTS * before.leaves,
    children: elements,
    childBefore: undefined,
    nodeBefore: before.edge[0],
  });
}

/**
 * The nodes above those that changed. The first of these may have been there before, with another value: then it was the last of its layer.
 * A layer that is new has its first node from the old root on.
 */
function changesAbove(
  shape: TreeShape,
  layer: number,
  { below, countBelow }: { readonly below: NodeRun; readonly countBelow: number },
  edge: readonly Uint8Array[],
): Changes {
  const children = below.nodes.map(nodeAsChild);
  const lastBelow = edge[layer - 1];
  const nodeBefore = edge[layer];
  const isNew = nodeBefore === undefined;
  const hasChanged = below.from < countBelow;
  if (isNew && !hasChanged && lastBelow !== undefined) children.unshift(nodeAsChild(lastBelow));
  return changesOf(curveOf(layer), widthOf(shape, layer), {
    first: isNew ? 0 : below.from,
    children,
    childBefore:
      !isNew && hasChanged && lastBelow !== undefined ? nodeAsChild(lastBelow) : undefined,
    nodeBefore,
  });
}

/** Divides children, from place `first` of the layer on, among nodes. `nodeBefore` is the last node that there was. */
function changesOf(
  curve: 'Helios' | 'Selene',
  width: number,
  change: {
    readonly first: number;
    readonly children: readonly Uint8Array[];
    readonly childBefore: Uint8Array | undefined;
    readonly nodeBefore: Uint8Array | undefined;
  },
): Changes {
  const { first, children, childBefore, nodeBefore } = change;
  const from = Math.floor(first / width);
  const offset = first % width;
  const isThere = offset > 0 || childBefore !== undefined;
  const nodes: NodeChange[] = [
    {
      curve,
      node: isThere && nodeBefore !== undefined ? nodeBefore : emptyNode(curve),
      offset,
      childAtOffset: childBefore ?? NO_CHILD,
      children: children.slice(0, width - offset),
    },
  ];
  for (let at = width - offset; at < children.length; at += width) {
    const slice = children.slice(at, at + width);
    nodes.push({
      curve,
      node: emptyNode(curve),
      offset: 0,
      childAtOffset: NO_CHILD,
      children: slice,
    });
  }
  return { from, nodes };
}

/**
 * Returns the last node of each layer, 32 bytes each, of a tree that is cut to its first leaves, computed anew from what is stored: at most one node for a
 * layer. Checks an edge, and gives one that is not stored.
 *
 * @param leaves how many are left, at most those of the tree
 */
export function edgeOf(
  hasher: TreeHasher,
  shape: TreeShape,
  tree: TreeReader,
  leaves: number,
): Uint8Array[] {
  const edge: Uint8Array[] = [];
  for (const [layer, count] of nodesOf(shape, leaves).entries()) {
    const below = edge.at(-1);
    const curve = curveOf(layer);
    const children =
      below === undefined
        ? elementsOf(hasher, tree.leaves((count - 1) * shape.leaves, leaves))
        : lastChildren(shape, tree, layer, nodesOf(shape, leaves)[layer - 1] as number, below);
    const change = { curve, node: emptyNode(curve), offset: 0, childAtOffset: NO_CHILD, children };
    edge.push(hasher.grow([change])[0] as Uint8Array);
  }
  return edge;
}

function elementsOf(hasher: TreeHasher, outputs: readonly ChainOutput[]): Uint8Array[] {
  return hasher.leavesOf(outputs).flatMap((leaf) => {
    if (leaf === undefined) throw new RangeError('an output that can have no leaf has one');
    return leaf.elements;
  });
}

/** The children of the last node of a layer, whose last one is `below`. */
function lastChildren(
  shape: TreeShape,
  tree: TreeReader,
  layer: number,
  countBelow: number,
  below: Uint8Array,
): Uint8Array[] {
  const width = widthOf(shape, layer);
  const children: Uint8Array[] = [];
  for (let place = width * Math.floor((countBelow - 1) / width); place < countBelow - 1; place++) {
    children.push(nodeAsChild(tree.node(layer - 1, place)));
  }
  return [...children, nodeAsChild(below)];
}
