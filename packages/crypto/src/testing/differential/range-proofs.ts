import { runCheck } from '../../checks.ts';
import type { BorromeanProof, BulletproofPlusProof, BulletproofProof } from '../../types.ts';
import { proveBorromean } from '../borromean-prover.ts';
import { proveBulletproofPlus } from '../bulletproof-plus-prover.ts';
import { recordedTransactions } from '../fixtures.ts';
import { replaceAt } from '../mutations.ts';
import { oddScalar, pick, drawBelow } from '../odd-inputs.ts';
import { oldProofs } from '../old-fixtures.ts';
import { createTestRandom, type TestRandom } from '../random.ts';
import { type DifferentialKind, isHonest } from './case.ts';
import { mutate, otherwiseWritten } from './mutate.ts';

/** Answers what `make` makes, which it does when it is first asked. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Recorded proofs of up to three outputs (more would take the reference a second each) and made ones of one. */
function bulletproofPlusExamples(random: TestRandom): BulletproofPlusProof[] {
  const odd = { ...random, scalar: () => oddScalar(random) };
  const opening = (amount: bigint) => [{ amount, mask: random.scalar() }];
  return [
    ...recordedTransactions()
      .map((tx) => tx.rangeProof)
      .filter(({ commitments }) => commitments.length <= 3),
    proveBulletproofPlus(opening(0n), random),
    proveBulletproofPlus(opening(2n ** 64n - 1n), odd),
    proveBulletproofPlus(opening(1n), random, { torsion: ['A', 'commitment'] }),
  ];
}

/** Recorded ones, ordinary ones, and some whose scalars count only under upstream's recoding. */
function borromeanExamples(random: TestRandom): BorromeanProof[] {
  const odd = { ...random, scalar: () => oddScalar(random) };
  const opening = { amount: 0xc0de_0000_1234_5678n, mask: random.scalar() };
  return [
    ...oldProofs().borromeans,
    proveBorromean(opening, random),
    proveBorromean(opening, odd),
    ...[0, 1, 2].map(() => proveBorromean(opening, random, { unreduced: true })),
  ];
}

/** Some scalars written as larger integers: the same ones until the recoding loses a carry. */
function withLargeScalars(proof: BorromeanProof, random: TestRandom): BorromeanProof {
  let changed = proof;
  for (let left = 1 + drawBelow(random, 3); left > 0; left--) {
    const list = pick(random, ['s0', 's1'] as const);
    const at = drawBelow(random, proof[list].length);
    const scalar = otherwiseWritten(proof[list][at] as Uint8Array, random);
    changed = { ...changed, [list]: replaceAt(changed[list], at, scalar) };
  }
  return changed;
}

/** One to three proofs; one of them altered, unless the case is to be honest. */
function someBatch<T extends object>(examples: readonly T[], random: TestRandom, index: number) {
  const count = pick(random, [1, 1, 2, 3]);
  const proofs = Array.from({ length: count }, () => pick(random, examples));
  if (isHonest(index)) return proofs;
  const at = drawBelow(random, count);
  return replaceAt(proofs, at, mutate(proofs[at] as T, random));
}

/** Range proofs. Their examples are made once: a proof takes the reference seconds. */
export function rangeProofKinds(seed: string): DifferentialKind[] {
  const random = createTestRandom(`${seed} range proof examples`);
  const bulletproofsPlus = once(() => bulletproofPlusExamples(random));
  const borromeans = once(() => borromeanExamples(random));
  const bulletproofs = once((): BulletproofProof[] => {
    const all = oldProofs().bulletproofs;
    const small = all.filter(({ commitments }) => commitments.length <= 2);
    return [...all, ...small, ...small]; // the large one takes twice the time
  });
  return [
    {
      name: 'borromean',
      share: 10,
      make: (source, index) => {
        const honest = pick(source, borromeans());
        const change = index % 3 === 1 ? withLargeScalars : mutate;
        const proofs = [isHonest(index) ? honest : change(honest, source)];
        return {
          input: proofs,
          items: 1,
          ask: (backend) => runCheck(backend, { kind: 'borromean', proofs }),
        };
      },
    },
    {
      name: 'bulletproof',
      share: 10,
      make: (source, index) => {
        const proofs = someBatch(bulletproofs(), source, index);
        return {
          input: proofs,
          items: 1,
          ask: (backend) => runCheck(backend, { kind: 'bulletproof', proofs }),
        };
      },
    },
    {
      name: 'bulletproof-plus',
      share: 10,
      make: (source, index) => {
        const proofs = someBatch(bulletproofsPlus(), source, index);
        return {
          input: proofs,
          items: 1,
          ask: (backend) => runCheck(backend, { kind: 'bulletproof-plus', proofs }),
        };
      },
    },
  ];
}
