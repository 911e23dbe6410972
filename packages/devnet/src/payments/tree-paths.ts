import { bytesEqual } from '@monero-node/codec';
import { MONERO_SHAPE, nodesOf, type TreeReader, type TreeState } from '@monero-node/curve-tree';
import { leavesOf, type Leaf } from '@monero-node/fcmp';
import { treePath, type PathSource, type TreePath } from '@monero-node/fcmp/insecure-prover';

/** An output of the tree of an index, and how it is reached. */
export interface TreePlace {
  readonly leaf: Leaf;
  readonly path: TreePath;
}

/** The tree of one index of a chain, from which paths are read. The chain may have grown since, but not have lost the index. */
export class TreePaths implements PathSource {
  readonly counts: readonly number[];
  readonly #tree: TreeReader;
  readonly #state: TreeState;

  /** Throws RangeError for an index that the tree does not have. */
  constructor(tree: TreeReader, index: number) {
    this.#tree = tree;
    this.#state = tree.state(index);
    const { leaves } = this.#state;
    this.counts = [leaves, ...nodesOf(MONERO_SHAPE, leaves)];
  }

  get layers(): number {
    return this.#state.edge.length;
  }

  /** 32 bytes; undefined without leaves. */
  get root(): Uint8Array | undefined {
    return this.#state.edge.at(-1);
  }

  leaves(from: number, to: number): readonly Leaf[] {
    return leavesOf(this.#tree.leaves(from, to)).map((leaf) => {
      if (leaf === undefined) throw new Error('the tree has an output that has no leaf');
      return leaf;
    });
  }

  node(layer: number, place: number): Uint8Array {
    // The last node of a layer may have changed with later leaves.
    const isLast = place + 1 === this.counts[layer + 1];
    return isLast ? (this.#state.edge[layer] as Uint8Array) : this.#tree.node(layer, place);
  }

  /**
   * Returns where an output is; undefined if it is not in this tree. It looks at all leaves, which a private chain has few of.
   *
   * @param key 32 bytes
   * @param commitment 32 bytes
   */
  find(key: Uint8Array, commitment: Uint8Array): TreePlace | undefined {
    const all = this.#tree.leaves(0, this.#state.leaves);
    const place = all.findIndex(
      (output) => bytesEqual(output.key, key) && bytesEqual(output.commitment, commitment),
    );
    if (place < 0) return undefined;
    const [leaf] = this.leaves(place, place + 1);
    return leaf && { leaf, path: treePath(this, place) };
  }
}
