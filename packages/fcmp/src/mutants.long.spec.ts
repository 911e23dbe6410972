import { sampleSize } from '@monero-node/base/testing';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { ELEMENT_BYTES, SAL_BYTES, TUPLE_BYTES } from '@monero-node/codec/fcmp-proof-size';
import type { FcmpBackend } from './backend/backend.ts';
import { REFERENCE_BACKEND } from './backend/reference.ts';
import { createFcmpBackend } from './choose-backend.ts';
import { elementBytes, l } from './curves/fields.ts';
import { findFcmpAddon } from './native/addon.ts';
import { proveOwn } from './testing/own-tree.ts';
import { seededNumbers, type SeededNumbers } from './testing/seeded-numbers.ts';
import { type FcmpPlusPlus, verifyFcmpPlusPlus } from './verify.ts';

// Random mutants of random proofs over trees of one to three layers: none may be accepted, by no backend.

const backends: readonly FcmpBackend[] = [
  ...(findFcmpAddon() === undefined ? [] : [createFcmpBackend('native')]),
  createFcmpBackend('wasm'),
  REFERENCE_BACKEND,
];
const MUTANTS = sampleSize({ usual: 150, whole: 10_000 });

const TREES = [
  { outputs: 5, kind: 'carrot', spends: [[2], [0, 4]] },
  { outputs: 40, kind: 'legacy', spends: [[39], [1, 38]] },
  { outputs: 685, kind: 'carrot', spends: [[684]] },
] as const;

function randomProofs(): FcmpPlusPlus[] {
  return TREES.flatMap(({ outputs, kind, spends }, i) =>
    proveOwn({ kinds: Array.from({ length: outputs }, () => kind), spends, message: i + 1 }),
  );
}

const BLOCK_BYTES = TUPLE_BYTES + SAL_BYTES;

/** Returns a change of a proof or of what it is about; the same as before by a rare chance. */
function mutant(
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

const keyOf = ({ message, root, layers, pseudoOuts, keyImages, proof }: FcmpPlusPlus): string =>
  bytesToHex(concatBytes(message, root, Uint8Array.of(layers), ...pseudoOuts, ...keyImages, proof));

test(`${MUTANTS} random mutants of random proofs are refused by every backend`, () => {
  const proofs = randomProofs();
  for (const proof of proofs) {
    for (const backend of backends) expect(verifyFcmpPlusPlus(proof, backend)).toBe(true);
  }
  const random = seededNumbers('mutants of random proofs');
  let refused = 0;
  while (refused < MUTANTS) {
    const proof = proofs[refused % proofs.length] as FcmpPlusPlus;
    const changed = mutant(proof, proofs, random);
    if (keyOf(changed) === keyOf(proof)) continue;
    const accepting = backends.filter((backend) => verifyFcmpPlusPlus(changed, backend));
    // The proof is random: these bytes are all that there is of it.
    if (accepting.length > 0)
      throw new Error(`${accepting.map(({ name }) => name)} accepted ${keyOf(changed)}`);
    refused++;
  }
}, 7_200_000);
