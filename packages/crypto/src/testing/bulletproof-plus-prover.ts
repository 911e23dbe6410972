import { oncePerRun } from '@monero-node/base/testing';
import { bytesToHex } from '@noble/hashes/utils.js';
import {
  proveBulletproofPlus as prove,
  type Opening,
} from '../insecure-signer/bulletproof-plus-prover.ts';
import type { BulletproofPlusProof } from '../types.ts';
import { addTorsion } from './mutations.ts';
import { createTestRandom, type TestRandom } from './random.ts';

interface Variation {
  /** What a point of order 8 is added to. */
  readonly torsion?: readonly ('A' | 'commitment')[];
  readonly paddedOutputs?: number;
}

/** Makes a proof of amounts, once for all test files of a run: it takes long. */
export function proveBulletproofPlus(
  openings: readonly Opening[],
  random: TestRandom,
  variation: Variation = {},
): BulletproofPlusProof {
  const { torsion = [], paddedOutputs } = variation;
  const seed = bytesToHex(random.bytes());
  const statement = openings.map(({ amount, mask }) => `${amount} ${mask}`);
  const name = ['Bulletproof+', ...statement, JSON.stringify(variation), seed].join();
  return oncePerRun(name, () =>
    prove(openings, createTestRandom(seed), {
      ...(torsion.includes('A') && { A: addTorsion }),
      ...(torsion.includes('commitment') && { commitment: addTorsion }),
      ...(paddedOutputs !== undefined && { paddedOutputs }),
    }),
  );
}
