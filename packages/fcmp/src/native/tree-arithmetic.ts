import { AddonError } from '@monero-node/base/addons';
import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { blake2b } from '@noble/hashes/blake2.js';
import { BackendUnavailable } from '../backend/backend.ts';
import type { TreeArithmetic } from '../tree/arithmetic.ts';
import { hashGrow, hasPlaces, type NodeChange } from '../tree/hash.ts';
import { type ChainOutput, type Leaf, leavesOf } from '../tree/leaf.ts';
import { CURVE_NUMBERS, type FcmpAddon, loadFcmpAddon } from './addon.ts';

// As tree_leaves.h has outputs and leaves.
const OUTPUT_BYTES = 4 * ELEMENT_BYTES;
const LEAF_BYTES = 9 * ELEMENT_BYTES;
const ELEMENTS_FROM = 3;
const KINDS = { legacy: 0, carrot: 1 } as const;
const HAS_LEAF = 1;

const WIDE_HASH = { dkLen: 2 * ELEMENT_BYTES };
/** Not the bytes of a point. */
const NO_POINT = new Uint8Array(2 * ELEMENT_BYTES).fill(0xff);

class NativeTreeArithmetic implements TreeArithmetic {
  readonly name = 'native';
  readonly #addon: FcmpAddon;

  constructor(addon: FcmpAddon) {
    this.#addon = addon;
    addon.prepareTree();
  }

  leavesOf(outputs: readonly ChainOutput[]): readonly (Leaf | undefined)[] {
    const packed = new Uint8Array(OUTPUT_BYTES * outputs.length);
    for (const [i, output] of outputs.entries()) pack(packed, OUTPUT_BYTES * i, output);
    const kinds = Uint8Array.from(outputs, ({ kind }) => KINDS[kind]);
    const leaves = new Uint8Array(LEAF_BYTES * outputs.length);
    // The reference says what is to be said where a hash is the identity.
    if (!this.#addon.treeLeaves(packed, kinds, leaves)) return leavesOf(outputs);
    return outputs.map((_, i) =>
      kinds[i] === HAS_LEAF ? leafAt(leaves, LEAF_BYTES * i) : undefined,
    );
  }

  grow(changes: readonly NodeChange[]): readonly Uint8Array[] {
    const nodes: Uint8Array[] = [];
    for (const curve of ['Helios', 'Selene'] as const) {
      const own = changes.flatMap((change, i) => (change.curve === curve ? [i] : []));
      const grown = this.#growOn(
        curve,
        own.map((i) => changes[i] as NodeChange),
      );
      for (const [k, i] of own.entries()) nodes[i] = grown[k] as Uint8Array;
    }
    return nodes;
  }

  #growOn(curve: 'Helios' | 'Selene', changes: readonly NodeChange[]): readonly Uint8Array[] {
    if (changes.length === 0) return [];
    const packed = packChanges(changes);
    // The reference refuses what is refused here, and so with the same words.
    if (packed === undefined) return changes.map((change) => hashGrow(change));
    const { nodes, before, places, children } = packed;
    const isGrown = this.#addon.treeNodes(CURVE_NUMBERS[curve], nodes, before, places, children);
    if (!isGrown) return changes.map((change) => hashGrow(change));
    return changes.map((_, i) => nodes.slice(ELEMENT_BYTES * i, ELEMENT_BYTES * (i + 1)));
  }
}

function pack(packed: Uint8Array, at: number, { key, commitment, kind }: ChainOutput): void {
  if (key.length !== ELEMENT_BYTES || commitment.length !== ELEMENT_BYTES) {
    packed.set(NO_POINT, at);
    return;
  }
  packed.set(key, at);
  packed.set(commitment, at + ELEMENT_BYTES);
  if (kind === 'carrot') packed.set(blake2b(key, WIDE_HASH), at + 2 * ELEMENT_BYTES);
}

function leafAt(leaves: Uint8Array, at: number): Leaf {
  const part = (i: number): Uint8Array =>
    leaves.subarray(at + ELEMENT_BYTES * i, at + ELEMENT_BYTES * (i + 1));
  const elements = Array.from({ length: LEAF_BYTES / ELEMENT_BYTES - ELEMENTS_FROM }, (_, i) =>
    part(ELEMENTS_FROM + i),
  );
  return { O: part(0), I: part(1), C: part(2), elements };
}

/** The arguments of the addon. */
interface PackedChanges {
  readonly nodes: Uint8Array;
  readonly before: Uint8Array;
  readonly places: Uint32Array;
  readonly children: Uint8Array;
}

/** Returns undefined for what the addon cannot be asked: arrays of another length, and places that no node has. */
function packChanges(changes: readonly NodeChange[]): PackedChanges | undefined {
  const total = changes.reduce((sum, { children }) => sum + children.length, 0);
  const nodes = new Uint8Array(ELEMENT_BYTES * changes.length);
  const before = new Uint8Array(ELEMENT_BYTES * changes.length);
  const places = new Uint32Array(2 * changes.length);
  const packed = new Uint8Array(ELEMENT_BYTES * total);
  let at = 0;
  for (const [i, { curve, node, offset, childAtOffset, children }] of changes.entries()) {
    const all = [node, childAtOffset, ...children];
    if (all.some(({ length }) => length !== ELEMENT_BYTES)) return undefined;
    if (!hasPlaces(curve, offset, children.length)) return undefined;
    nodes.set(node, ELEMENT_BYTES * i);
    before.set(childAtOffset, ELEMENT_BYTES * i);
    places.set([offset, children.length], 2 * i);
    for (const child of children) {
      packed.set(child, at);
      at += ELEMENT_BYTES;
    }
  }
  return { nodes, before, places, children: packed };
}

/** Returns the arithmetic in C++. Throws BackendUnavailable when there is no addon for this machine or it does not load. */
export function createNativeTreeArithmetic(load: () => FcmpAddon = loadFcmpAddon): TreeArithmetic {
  try {
    return new NativeTreeArithmetic(load());
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    throw new BackendUnavailable(error.message, { cause: error });
  }
}
