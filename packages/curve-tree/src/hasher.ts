import {
  type ChainOutput,
  createTreeArithmetic,
  emptyNode,
  type FcmpBackendChoice,
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

const ONE = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0));

/** Returns what hashes something at each place once, `atOnce` of them in a call, which makes the generator of the place and its table. */
function prepareBy(
  grow: TreeHasher['grow'],
  atOnce: number,
): (curve: 'Helios' | 'Selene', places: number) => Generator<undefined, void> {
  const made = { Helios: 0, Selene: 0 };
  return function* (curve, places) {
    while (made[curve] < places) {
      const offset = made[curve];
      const children = Array.from({ length: Math.min(atOnce, places - offset) }, () => ONE);
      grow([{ curve, node: emptyNode(curve), offset, childAtOffset: NO_CHILD, children }]);
      made[curve] = Math.max(made[curve], offset + children.length);
      yield;
    }
  };
}

/** In TypeScript, on the calling thread: the judge of every faster one. */
export const REFERENCE_HASHER: TreeHasher = {
  leavesOf: (outputs) => REFERENCE_TREE_ARITHMETIC.leavesOf(outputs),
  grow: (changes) => REFERENCE_TREE_ARITHMETIC.grow(changes),
  // 7 ms, 5 ms, and 5 ms for the tables.
  pieces: {
    ...{ outputs: 2, children: 4 * LEAF_ELEMENTS },
    prepare: prepareBy((changes) => REFERENCE_TREE_ARITHMETIC.grow(changes), 2),
  },
};

/** 4 ms, and 3 ms: a whole node above leaves, which is the widest. */
const NATIVE_PIECES: GrowthPieces = { outputs: 48, children: LEAF_OUTPUTS * LEAF_ELEMENTS };
/** 7 ms, 5 ms, and 4 ms for generators. */
const WASM_PIECES = { outputs: 8, children: (LEAF_OUTPUTS / 2) * LEAF_ELEMENTS, generators: 8 };

/** Options of {@link createTreeHasher}. */
export interface TreeHasherOptions extends Pick<TreeArithmeticOptions, 'onFallback'> {
  /** `auto` when absent: native code, or else WebAssembly, or else the reference. */
  readonly arithmetic?: FcmpBackendChoice | undefined;
}

/**
 * Returns a hasher for the calling thread. Native code makes its tables at once.
 *
 * Throws as `createTreeArithmetic`.
 */
export function createTreeHasher({
  arithmetic: choice = 'auto',
  ...options
}: TreeHasherOptions = {}): TreeHasher {
  const arithmetic = createTreeArithmetic(choice, options);
  if (arithmetic.name === 'reference') return REFERENCE_HASHER;
  const grow: TreeHasher['grow'] = (changes) => arithmetic.grow(changes);
  const { generators, ...wasm } = WASM_PIECES;
  return {
    leavesOf: (outputs) => arithmetic.leavesOf(outputs),
    grow,
    pieces:
      arithmetic.name === 'native'
        ? NATIVE_PIECES
        : { ...wasm, prepare: prepareBy(grow, generators) },
  };
}
