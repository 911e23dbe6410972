import {
  decodeEdPointNotIdentity,
  decodeEdPointWithTorsion,
  type EdPoint,
  toWei25519,
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

const COFACTOR = 8n;
const INVERSE_OF_8 = invert(COFACTOR, l);

/**
 * Returns the leaf of an output, or undefined if it has none, as its key or commitment is no point, or only torsion. Torsion of
 * legacy outputs is cleared, but I is hashed from the key as the chain has it. Source: `output_to_tuple` in monero,
 * src/fcmp_pp/curve_trees.cpp.
 */
export function leafOf({ key, commitment, kind }: ChainOutput): Leaf | undefined {
  const decode = kind === 'legacy' ? withoutTorsion : decodeEdPointNotIdentity;
  try {
    const O = decode(key);
    const C = decode(commitment);
    const I = kind === 'legacy' ? biasedHashToPoint(key) : unbiasedHashToPoint(key);
    const elements = [O, I, C].flatMap((point) => {
      const { x, y } = toWei25519(point);
      return [elementBytes(x), elementBytes(y)];
    });
    return { O: O.toBytes(), I: I.toBytes(), C: C.toBytes(), elements };
  } catch (error) {
    if (error instanceof RefusedProof) return undefined;
    throw error;
  }
}

/** Returns 8·(1/8)·P. Throws `RefusedProof` for 32 bytes that are no point, and for a point of small order. */
function withoutTorsion(bytes: Uint8Array): EdPoint {
  const point = decodeEdPointWithTorsion(bytes)
    .multiplyUnsafe(INVERSE_OF_8)
    .multiplyUnsafe(COFACTOR);
  if (point.is0()) throw new RefusedProof('a point of small order');
  return point;
}
