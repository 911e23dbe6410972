import { bytesToHex } from '@noble/hashes/utils.js';
import {
  decodeEdPointNotIdentity,
  type EdArithmetic,
  type EdPoint,
  REFERENCE_ED_ARITHMETIC,
  toWei25519All,
} from '../curves/ed25519.ts';
import { elementBytes, invert, l } from '../curves/fields.ts';
import { biasedHashToPoint, unbiasedHashToPoint } from '../curves/hash-to-point.ts';
import { RefusedProof } from '../refused-proof.ts';

/** An output as the chain has it; key and commitment have 32 bytes. */
export interface ChainOutput {
  readonly key: Uint8Array;
  /** Of a coinbase output and of amounts before RingCT: G + amount·H. */
  readonly commitment: Uint8Array;
  /** Carrot outputs have another generator for their key images, and consensus has refused torsion before. */
  readonly kind: 'legacy' | 'carrot';
}

/** An output as the tree has it: three points of the prime-order subgroup, 32 bytes each. */
export interface Leaf {
  readonly O: Uint8Array;
  /** The generator of its key image. */
  readonly I: Uint8Array;
  readonly C: Uint8Array;
  /** x and y of O, I and C on Wei25519, 32 bytes each, little-endian. */
  readonly elements: readonly Uint8Array[];
}

const INVERSE_OF_8 = invert(8n, l);

/**
 * Returns the leaf of each output, or undefined for one that has none, as its key or commitment is no point, or only torsion.
 * Torsion of legacy outputs is cleared, but I is hashed from the key as the chain has it.
 * Many at once cost less: one inversion for all, and a commitment that occurs again is decoded once. Source: `output_to_tuple` in monero,
 * src/fcmp_pp/curve_trees.cpp.
 */
export function leavesOf(
  outputs: readonly ChainOutput[],
  arithmetic: EdArithmetic = REFERENCE_ED_ARITHMETIC,
): (Leaf | undefined)[] {
  const commitments = new Map<string, EdPoint | undefined>();
  const points = outputs.map((output) => pointsOf(output, commitments, arithmetic));
  const coordinates = toWei25519All(points.flatMap((three) => three ?? []));
  let at = 0;
  return points.map((three) => {
    if (three === undefined) return undefined;
    const [O, I, C] = coordinates.slice(at, (at += three.length)).map(({ encoding }) => encoding);
    const elements = coordinates
      .slice(at - three.length, at)
      .flatMap(({ x, y }) => [elementBytes(x), elementBytes(y)]);
    return { O: O as Uint8Array, I: I as Uint8Array, C: C as Uint8Array, elements };
  });
}

/** Returns the leaf of one output, as `leavesOf` does. */
export function leafOf(output: ChainOutput): Leaf | undefined {
  return leavesOf([output])[0];
}

/** Returns O, I and C, and keeps what the commitment is. */
function pointsOf(
  { key, commitment, kind }: ChainOutput,
  known: Map<string, EdPoint | undefined>,
  arithmetic: EdArithmetic,
): EdPoint[] | undefined {
  const decode = (bytes: Uint8Array): EdPoint =>
    kind === 'legacy'
      ? withoutTorsion(bytes, arithmetic)
      : decodeEdPointNotIdentity(bytes, arithmetic.decodeTorsionFree);
  const name = kind + bytesToHex(commitment);
  const C = known.has(name) ? known.get(name) : unlessRefused(() => decode(commitment));
  known.set(name, C);
  const O = unlessRefused(() => decode(key));
  if (O === undefined || C === undefined) return undefined;
  const hash = kind === 'legacy' ? biasedHashToPoint : unbiasedHashToPoint;
  return [O, hash(key, arithmetic), C];
}

function unlessRefused(decode: () => EdPoint): EdPoint | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RefusedProof) return undefined;
    throw error;
  }
}

/** Returns 8·(1/8)·P. Throws `RefusedProof` for 32 bytes that are no point, and for a point of small order. */
function withoutTorsion(bytes: Uint8Array, { decode, multiply }: EdArithmetic): EdPoint {
  const point = multiply(decode(bytes), INVERSE_OF_8).clearCofactor();
  if (point.is0()) throw new RefusedProof('a point of small order');
  return point;
}
