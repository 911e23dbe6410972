import { ELEMENT_BYTES, SAL_BYTES, TUPLE_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { elementBytes, l } from '../curves/fields.ts';
import type { FcmpPlusPlus } from '../verify.ts';
import type { SeededNumbers } from './seeded-numbers.ts';

const BLOCK_BYTES = TUPLE_BYTES + SAL_BYTES;

/** Returns a change of a proof or of what it is about; the same as before by a rare chance. */
export function mutant(
  proof: FcmpPlusPlus,
  others: readonly FcmpPlusPlus[],
  random: SeededNumbers,
): FcmpPlusPlus {
  const below = (limit: number): number => Number(random.below(BigInt(limit)));
  const bytes = proof.proof.slice();
  const elements = bytes.length / ELEMENT_BYTES;
  const elementAt = (at: number) => bytes.slice(at * ELEMENT_BYTES, (at + 1) * ELEMENT_BYTES);
  const put = (at: number, element: Uint8Array): FcmpPlusPlus => {
    bytes.set(element, at * ELEMENT_BYTES);
    return { ...proof, proof: bytes };
  };
  const other = others[below(others.length)] as FcmpPlusPlus;
  const input = below(proof.pseudoOuts.length);
  const replaced = (list: readonly Uint8Array[], element: Uint8Array) => list.with(input, element);
  const at = below(elements);
  switch (below(10)) {
    case 0:
    case 1: {
      const bit = below(8 * bytes.length);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      return { ...proof, proof: bytes };
    }
    case 2:
      return put(at, elementBytes(random.below(1n << 256n)));
    case 3:
      // Small scalars, and points of small x or y.
      return put(at, elementBytes(random.below(4n)));
    case 4: {
      const moved = elementAt(below(elements));
      return put(at, moved);
    }
    case 5: {
      // Scalars of SA+L, one more or less.
      const scalar =
        input * BLOCK_BYTES + TUPLE_BYTES + 6 * ELEMENT_BYTES + ELEMENT_BYTES * below(6);
      return put(scalar / ELEMENT_BYTES, elementBytes(random.below(l)));
    }
    case 6: {
      // Any part of another proof.
      const length = Math.min(other.proof.length, bytes.length);
      const from = ELEMENT_BYTES * below(length / ELEMENT_BYTES);
      bytes.set(
        other.proof
          .subarray(from, from + ELEMENT_BYTES * (1 + below(4)))
          .subarray(0, bytes.length - from),
        from,
      );
      return { ...proof, proof: bytes };
    }
    case 7:
      return { ...proof, message: elementBytes(random.below(1n << 256n)) };
    case 8: {
      const keyImages = replaced(proof.keyImages, other.keyImages[0] as Uint8Array);
      const pseudoOuts = replaced(proof.pseudoOuts, other.pseudoOuts[0] as Uint8Array);
      return below(2) === 0 ? { ...proof, keyImages } : { ...proof, pseudoOuts };
    }
    default: {
      const layers = other.layers === proof.layers ? proof.layers + 2 : other.layers;
      return below(2) === 0 ? { ...proof, root: other.root } : { ...proof, layers };
    }
  }
}
