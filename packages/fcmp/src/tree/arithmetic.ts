import { hashGrow, type NodeChange } from './hash.ts';
import { type ChainOutput, type Leaf, leavesOf } from './leaf.ts';

/** The arithmetic of a curve tree, for many outputs or nodes at once. All implementations give the same answers and throw the same. */
export interface TreeArithmetic {
  readonly name: 'native' | 'wasm' | 'reference';
  /** As `leavesOf`. The arrays of a leaf may be views of an array that all leaves of the call share. */
  leavesOf(outputs: readonly ChainOutput[]): readonly (Leaf | undefined)[];
  /** Each as `hashGrow`, with 32 bytes of its own. Throws RangeError as that does for any of them. */
  grow(changes: readonly NodeChange[]): readonly Uint8Array[];
}

/** In TypeScript: the judge of every faster one. */
export const REFERENCE_TREE_ARITHMETIC: TreeArithmetic = {
  name: 'reference',
  leavesOf: (outputs) => leavesOf(outputs),
  grow: (changes) => changes.map((change) => hashGrow(change)),
};
