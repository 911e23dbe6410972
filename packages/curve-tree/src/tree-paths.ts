import type { TreeOutput, TreeReader, TreeState } from '@monero-node/storage/memory';
import { isSameState } from './comparisons.ts';
import { MONERO_SHAPE, nodesOf, type TreeShape, widthOf } from './shape.ts';

/** How the root of a tree is reached from a leaf. */
export interface LeafPath {
  /** The place of the leaf in the tree. */
  readonly place: number;
  /** The outputs of the node over the leaf, with itself. */
  readonly leaves: readonly TreeOutput[];
  /** The nodes beside the one over the leaf, with itself, then those of each layer above: the last layer has the root alone. 32 bytes each. */
  readonly layers: readonly (readonly Uint8Array[])[];
}

/**
 * The tree of one index of a chain, from which paths are read. The chain may have grown since. Where it has lost the index every method
 * throws RangeError.
 */
export class TreePaths {
  readonly index: number;
  readonly #tree: TreeReader;
  readonly #shape: TreeShape;
  readonly #state: TreeState;
  readonly #counts: readonly number[];

  /** Throws RangeError for an index that the tree does not have. */
  constructor(tree: TreeReader, index: number, shape: TreeShape = MONERO_SHAPE) {
    this.index = index;
    this.#tree = tree;
    this.#shape = shape;
    this.#state = tree.state(index);
    this.#counts = nodesOf(shape, this.#state.leaves);
  }

  /** The number of leaves. */
  get leaves(): number {
    return this.#state.leaves;
  }

  /** Returns the path of the leaf at a place. Throws RangeError for a place where there is none. */
  pathAt(place: number): LeafPath {
    if (!(Number.isInteger(place) && place >= 0 && place < this.leaves))
      throw new RangeError(`no leaf ${place}`);
    if (!isSameState(this.#tree.state(this.index), this.#state))
      throw new RangeError(`the tree has another index ${this.index}`);
    const { leaves: width } = this.#shape;
    const first = Math.floor(place / width) * width;
    const leaves = this.#tree.leaves(first, Math.min(first + width, this.leaves));
    let at = first / width;
    const layers = this.#counts.map((count, layer) => {
      // The root has no node above it, and so none beside it.
      const across = widthOf(this.#shape, layer + 1);
      const from = Math.floor(at / across) * across;
      at = from / across;
      const to = Math.min(from + across, count);
      return Array.from({ length: to - from }, (_, i) => this.#node(layer, from + i));
    });
    return { place, leaves, layers };
  }

  /** The last node of a layer may have changed with later leaves. */
  #node(layer: number, place: number): Uint8Array {
    const isLast = place + 1 === this.#counts[layer];
    return isLast ? (this.#state.edge[layer] as Uint8Array) : this.#tree.node(layer, place);
  }

  /**
   * Returns the place of an output; undefined if it has no leaf in this tree.
   *
   * @param entersAt the index at which outputs like it enter the tree
   */
  find(unifiedId: number, entersAt: bigint): number | undefined {
    if (entersAt > BigInt(this.index)) return undefined;
    const at = Number(entersAt);
    let from = at === 0 ? 0 : this.#tree.state(at - 1).leaves;
    let to = this.#tree.state(at).leaves;
    // The leaves of an index are in the order of their unified ids.
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const [leaf] = this.#tree.leaves(middle, middle + 1);
      if (leaf?.unifiedId === unifiedId) return middle;
      if (leaf !== undefined && leaf.unifiedId < unifiedId) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }
}
