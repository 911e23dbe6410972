import { createBackend } from '../../choose-backend.ts';
import { encodeScalar, reduceScalar } from '../../curve/scalar.ts';
import type { CryptoBackend } from '../../types.ts';
import { toJson } from './describe.ts';
import {
  addToCount,
  differentialKinds,
  type DifferentialOutcome,
  runCase,
  runKind,
} from './run.ts';

const SEED = 'run';
// The slow reference would take most of the time of these tests, which are about the comparison.
const reference = createBackend();

/** The same backend but for some functions. */
function altered(changes: Partial<CryptoBackend>): CryptoBackend {
  return Object.assign(createBackend(), changes);
}

function outcomesOf(name: string, cases: number, backend: CryptoBackend): DifferentialOutcome[] {
  const kind = differentialKinds(SEED).filter((each) => each.name === name);
  const subjects = [
    { name: 'reference', backend: reference },
    { name: 'other', backend },
  ];
  return kind.flatMap((each) => [
    ...runKind(each, { cases: 1, fewest: cases, seed: SEED }, subjects),
  ]);
}

describe('a differential run', () => {
  test('finds no disagreement between equal backends, and counts verdicts', () => {
    const outcomes = outcomesOf('point', 50, createBackend());
    const count = { cases: 0, accepted: 0, refused: 0 };
    for (const outcome of outcomes) addToCount(count, outcome);
    expect(outcomes.every(({ agreed }) => agreed)).toBe(true);
    expect(count.cases).toBe(50);
    expect(count.accepted + count.refused).toBe(50);
  });

  test('finds a backend that does not check y against p', () => {
    // This decoder reduces y modulo p, so it takes 2^255 - 19 + y for y.
    const lenient = altered({
      isPoint: (bytes) => {
        const high = bytes.length === 32 && bytes.subarray(1, 31).every((byte) => byte === 0xff);
        if (!high || (bytes[31] as number) % 128 < 127 || (bytes[0] as number) < 0xed) {
          return reference.isPoint(bytes);
        }
        const reduced = new Uint8Array(32);
        reduced[0] = (bytes[0] as number) - 0xed;
        reduced[31] = (bytes[31] as number) & 0x80;
        return reference.isPoint(reduced);
      },
    });
    const found = outcomesOf('point', 400, lenient).filter(({ agreed }) => !agreed);
    expect(found.length).toBeGreaterThan(0);
    for (const { answers } of found) expect(answers).toEqual({ reference: [false], other: [true] });
  });

  test('finds a backend that reduces the scalars of Borromean proofs modulo l', () => {
    const reduce = (list: readonly Uint8Array[]) =>
      list.map((bytes) => (bytes.length === 32 ? encodeScalar(reduceScalar(bytes)) : bytes));
    const plain = altered({
      verifyBorromean: (batch) =>
        reference.verifyBorromean(
          batch.map((proof) => ({ ...proof, s0: reduce(proof.s0), s1: reduce(proof.s1) })),
        ),
    });
    const found = outcomesOf('borromean', 9, plain).filter(({ agreed }) => !agreed);
    expect(found.length).toBeGreaterThan(0);
  });

  test('finds a backend that throws, even if all throw', () => {
    const broken = altered({
      verifyBalance: () => {
        throw new Error('broken');
      },
    });
    const [kind] = differentialKinds(SEED).filter(({ name }) => name === 'balance');
    if (!kind) throw new Error('no such kind');
    const both = [
      { name: 'one', backend: broken },
      { name: 'two', backend: broken },
    ];
    const outcome = runCase(kind, { index: 0, seed: SEED }, both);
    expect(outcome.agreed).toBe(false);
    expect(outcome.answers).toEqual({ one: 'threw Error: broken', two: 'threw Error: broken' });
  });

  test('repeats a case from its seed, kind and number alone', () => {
    const inputs = () => outcomesOf('balance', 5, reference).map((outcome) => outcome.case.input);
    const [kind] = differentialKinds(SEED).filter(({ name }) => name === 'balance');
    const again = kind && runCase(kind, { index: 4, seed: SEED }, []);
    expect(toJson(inputs())).toBe(toJson(inputs()));
    expect(toJson(again?.case.input)).toBe(toJson(inputs()[4]));
  });
});
