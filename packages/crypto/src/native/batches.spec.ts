import { encodeScalar } from '../curve/scalar.ts';
import { SEED } from '../testing/differential/describe.ts';
import { recordedTransactions } from '../testing/fixtures.ts';
import { replaceAt } from '../testing/mutations.ts';
import { pick, drawBelow } from '../testing/odd-inputs.ts';
import { createTestRandom } from '../testing/random.ts';
import type { BulletproofPlusProof, ClsagProof } from '../types.ts';
import { loadNativeBackend } from './backend.ts';
import { PATHS } from './paths.ts';

const paths = PATHS.map((path) => [`native (${path})`, loadNativeBackend({ path })] as const);

for (const [name, backend] of paths) {
  if (backend === undefined) {
    describe(name, () => {
      test.skip('not tested: the addon is not built, or neither it nor the processor has this path', () => {});
    });
    continue;
  }

  // The addon takes a different path for each batch size; the right answers are known here.
  describe(`${name}: batches of every size`, () => {
    const random = createTestRandom(`${SEED} batches`);
    const recorded = recordedTransactions();

    test('CLSAG: every number of signatures over one ring size', () => {
      const clsags = recorded.flatMap((tx) => tx.clsags);
      for (let count = 1; count <= 20; count++) {
        const batch = Array.from({ length: count }, (_, i) => clsags[i % clsags.length]);
        const bad = drawBelow(random, count);
        const altered = batch.map((proof, i) =>
          i === bad ? { ...proof, message: random.bytes() } : proof,
        ) as ClsagProof[];
        expect(backend.verifyClsag(altered)).toEqual(batch.map((_, i) => i !== bad));
      }
    });

    test('Bulletproof+: batches of many proofs, all good or one bad', () => {
      const all = recorded.map((tx) => tx.rangeProof);
      const small = all.filter((proof) => proof.commitments.length === 2);
      for (const count of [2, 9, 13, 14, 40, 300]) {
        const from = drawBelow(random, 2) === 0 ? all : small;
        const batch = Array.from({ length: count }, () => pick(random, from));
        expect(backend.verifyBulletproofPlus(batch)).toBe(true);
        const at = drawBelow(random, count);
        const proof = batch[at] as BulletproofPlusProof;
        const bad = { ...proof, d1: encodeScalar(random.scalar()) };
        expect(backend.verifyBulletproofPlus(replaceAt(batch, at, bad))).toBe(false);
      }
    });
  });
}
