import { sampleSize } from '@monero-node/base/testing';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import type { FcmpBackend } from './backend/backend.ts';
import { REFERENCE_BACKEND } from './backend/reference.ts';
import { createFcmpBackend } from './choose-backend.ts';
import { findFcmpAddon } from './native/addon.ts';
import { mutant } from './testing/mutant.ts';
import { proveOwn } from './testing/own-tree.ts';
import { seededNumbers } from './testing/seeded-numbers.ts';
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
