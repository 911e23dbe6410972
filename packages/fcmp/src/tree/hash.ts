import { mod } from '@noble/curves/abstract/modular.js';
import { decodeElement, squareRoot } from '../curves/fields.ts';
import { type Generators, HELIOS_GENERATORS, SELENE_GENERATORS } from '../curves/generators.ts';
import { type CyclePoint, decodePoint, encodePoint } from '../curves/helios-selene.ts';
import { FixedBase } from './fixed-base.ts';

// A node of the tree is the hash init + Σ s_i·G_i over its children s_0, s_1, …, on the curve of its layer. Source: monero-oxide,
// crypto/fcmps/src/tree.rs.

/** Outputs in a chunk of leaves. */
export const LEAF_OUTPUTS = 38;
/** Field elements of a leaf: x and y of O, I and C. */
export const LEAF_ELEMENTS = 6;
/** Children of a node on Selene, above the leaves. */
export const SELENE_WIDTH = 38;
/** Children of a node on Helios. */
export const HELIOS_WIDTH = 18;

/** Bytes of a child of which there is none. */
export const NO_CHILD = new Uint8Array(32);

/** The most children of a node, of which none has a place from there on. */
const MOST_CHILDREN = { Helios: HELIOS_WIDTH, Selene: LEAF_OUTPUTS * LEAF_ELEMENTS };

/** Whether a node of a curve has places for so many children from `offset` on. */
export function hasPlaces(curve: 'Helios' | 'Selene', offset: number, count: number): boolean {
  return Number.isInteger(offset) && offset >= 0 && offset + count <= MOST_CHILDREN[curve];
}

/** A change of a node, from its child at `offset` on. All byte arrays have 32 bytes; children are little-endian scalars. */
export interface NodeChange {
  readonly curve: 'Helios' | 'Selene';
  /** The node before. */
  readonly node: Uint8Array;
  readonly offset: number;
  /** The child at `offset`: for growth before, zero if there was none; for trimming afterwards, zero if none is left. */
  readonly childAtOffset: Uint8Array;
  /** For growth those from `offset` on afterwards; for trimming those from `offset` on before. */
  readonly children: readonly Uint8Array[];
}

/** What nodes ask of arithmetic, where their time goes. All implementations give the same answers. */
export interface NodeArithmetic {
  /** Returns a square root modulo a prime, either of the two, or undefined if there is none. */
  squareRoot(value: bigint, prime: bigint): bigint | undefined;
  /** Returns Σ scalars[k]·G_(first+k), for scalars below the order of the curve. */
  sum(curve: 'Helios' | 'Selene', first: number, scalars: readonly bigint[]): CyclePoint;
}

const TABLES = {
  Helios: new FixedBase(HELIOS_GENERATORS),
  Selene: new FixedBase(SELENE_GENERATORS),
};

/** In TypeScript. */
const REFERENCE_NODE_ARITHMETIC: NodeArithmetic = {
  squareRoot,
  sum: (curve, first, scalars) => TABLES[curve].sum(first, scalars),
};

/** Returns the generators of a curve. */
export function generatorsOf(curve: 'Helios' | 'Selene'): Generators {
  return curve === 'Helios' ? HELIOS_GENERATORS : SELENE_GENERATORS;
}

/** Returns the 32 bytes of a node without children. */
export function emptyNode(curve: 'Helios' | 'Selene'): Uint8Array {
  return encodePoint(generatorsOf(curve).hashInit);
}

/**
 * Returns node + (children[0] - childAtOffset)·G_offset + Σ children[k]·G_(offset+k), 32 bytes. Throws RangeError for a malformed point or
 * scalar, and for places of children outside 0 to 17 on Helios, 0 to 227 on Selene.
 */
export function hashGrow(
  change: NodeChange,
  arithmetic: NodeArithmetic = REFERENCE_NODE_ARITHMETIC,
): Uint8Array {
  return changed(change, 1n, arithmetic);
}

/** Returns node - (children[0] - childAtOffset)·G_offset - Σ children[k]·G_(offset+k), 32 bytes. Throws as `hashGrow`. */
export function hashTrim(change: NodeChange): Uint8Array {
  return changed(change, -1n, REFERENCE_NODE_ARITHMETIC);
}

function changed(
  { curve, node, offset, childAtOffset, children }: NodeChange,
  sign: bigint,
  arithmetic: NodeArithmetic,
): Uint8Array {
  // Every place costs a generator and its table, which are kept.
  if (!hasPlaces(curve, offset, children.length)) {
    const most = MOST_CHILDREN[curve];
    throw new RangeError(`no ${children.length} children from ${offset} on: there are ${most}`);
  }
  const generators = generatorsOf(curve);
  const { order } = generators.curve;
  const scalars = children.map((child) => decodeElement(child, order));
  if (scalars.length > 0) scalars[0] = (scalars[0] as bigint) - decodeElement(childAtOffset, order);
  const reduced = scalars.map((scalar) => mod(sign * scalar, order));
  const point = decodePoint(generators.curve, node, 'taken', arithmetic.squareRoot);
  return encodePoint(point.add(arithmetic.sum(curve, offset, reduced)));
}

const X_MASK = 0x7f;

/** Returns the x of a node, 32 bytes of its own: what it is as a child of the node above it. */
export function nodeAsChild(node: Uint8Array): Uint8Array {
  // The slice of a Buffer, which a store or hasher may return, would be a view.
  const child = new Uint8Array(node);
  child[31] = (child[31] as number) & X_MASK;
  return child;
}
