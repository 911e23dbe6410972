import {
  type ChainOutput,
  createTreeArithmetic,
  emptyNode,
  hashGrow,
  type Leaf,
  LEAF_ELEMENTS,
  LEAF_OUTPUTS,
  NO_CHILD,
  type NodeChange,
  REFERENCE_TREE_ARITHMETIC,
  type TreeArithmeticOptions,
} from '@monero-node/fcmp';

/** The arithmetic of a tree. Many at once, so that faster implementations can share work and threads. */
export interface TreeHasher {
  /** As `leavesOf` of `@monero-node/fcmp`. */
  leavesOf(outputs: readonly ChainOutput[]): readonly (Leaf | undefined)[];
  /** Each as `hashGrow` of `@monero-node/fcmp`. */
  grow(changes: readonly NodeChange[]): readonly Uint8Array[];
  /** How the work is divided where others want the thread too; not at all when absent. */
  readonly pieces?: GrowthPieces;
}

/** Pieces of work that take some milliseconds. */
export interface GrowthPieces {
  /** Outputs of which leaves are made in one call. */
  readonly outputs: number;
  /** Children that are hashed in one call. */
  readonly children: number;
  /** Makes what is kept for the first so many places of children in a node, if that takes long. Costs nothing when it is there. */
  readonly prepare?: (curve: 'Helios' | 'Selene', places: number) => Generator<undefined, void>;
}

/** In TypeScript, on the calling thread: the judge of every faster one. */
export const REFERENCE_HASHER: TreeHasher = {
  leavesOf: (outputs) => REFERENCE_TREE_ARITHMETIC.leavesOf(outputs),
  grow: (changes) => REFERENCE_TREE_ARITHMETIC.grow(changes),
  // 7 ms, and 5 ms.
  pieces: { outputs: 2, children: 4 * LEAF_ELEMENTS, prepare: prepareTables },
};

/** 4 ms, and 3 ms: a whole node above leaves, which is the widest. */
const NATIVE_PIECES: GrowthPieces = { outputs: 48, children: LEAF_OUTPUTS * LEAF_ELEMENTS };

/**
 * Returns the fastest hasher that works on this machine, for the calling thread: native code, which makes its tables at once, or the
 * reference.
 */
export function createTreeHasher(
  options: Pick<TreeArithmeticOptions, 'onFallback'> = {},
): TreeHasher {
  const arithmetic = createTreeArithmetic('auto', options);
  if (arithmetic.name === 'reference') return REFERENCE_HASHER;
  return {
    leavesOf: (outputs) => arithmetic.leavesOf(outputs),
    grow: (changes) => arithmetic.grow(changes),
    pieces: NATIVE_PIECES,
  };
}

const ONE = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));
/** Places of which the table is made in one call: 5 ms. */
const TABLES_AT_ONCE = 2;
const tables = { Helios: 0, Selene: 0 };

/** Hashes something at each place, which makes the table of its generator. */
function* prepareTables(curve: 'Helios' | 'Selene', places: number): Generator<undefined, void> {
  while (tables[curve] < places) {
    const offset = tables[curve];
    const children = Array.from({ length: Math.min(TABLES_AT_ONCE, places - offset) }, () => ONE);
    hashGrow({ curve, node: emptyNode(curve), offset, childAtOffset: NO_CHILD, children });
    tables[curve] = Math.max(tables[curve], offset + children.length);
    yield;
  }
}
