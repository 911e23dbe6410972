import {
  type ChallengePoints,
  claimLine,
  type ClaimLine,
  discreteLogChallenge,
} from '../circuit/discrete-log.ts';
import type { Weights } from '../circuit/circuit.ts';
import { CYCLE_BITS, ED_BITS } from '../circuit/layout.ts';
import { generatorTables } from '../circuit/tables.ts';
import { createFcmpBackend } from '../choose-backend.ts';
import { type Affine, MONTGOMERY_A, WEI25519 } from '../curves/ed25519.ts';
import { invert, p, q, squareRoot } from '../curves/fields.ts';
import { HELIOS, rightSide, SELENE, type ShortWeierstrass } from '../curves/helios-selene.ts';
import { RefusedProof } from '../refused-proof.ts';
import { seededNumbers } from '../testing/seeded-numbers.ts';
import { findFcmpAddon } from './addon.ts';

const there = findFcmpAddon() === undefined ? describe.skip : describe;
const tables = generatorTables();

const numbers = (weights: Weights): (bigint | undefined)[] =>
  Array.from({ length: weights.length }, (_, i) => weights.at(i));

/** A line as plain numbers. */
function plain({ challenge: { slope, intercept, evaluations }, digitWeights }: ClaimLine) {
  return {
    evaluations: evaluations.map(({ numerator, denominator }) =>
      [numerator, denominator].map(({ weights, constant }) => [constant, ...numbers(weights)]),
    ),
    digitWeights: digitWeights.map(numbers),
    slope: [slope],
    intercept: [intercept],
  };
}

function pointsOf(curve: ShortWeierstrass, name: string): () => Affine {
  const random = seededNumbers(name);
  return () => {
    for (;;) {
      const x = random.below(curve.field);
      const y = squareRoot(rightSide(curve, x), curve.field);
      if (y !== undefined) return { x, y };
    }
  };
}

there.each([
  { name: 'Wei25519', curve: WEI25519, bits: ED_BITS, multiples: [tables.T, tables.U, tables.G] },
  { name: 'Helios', curve: HELIOS, bits: CYCLE_BITS, multiples: [tables.helios] },
  { name: 'Selene', curve: SELENE, bits: CYCLE_BITS, multiples: [tables.selene] },
  { name: 'few bits', curve: SELENE, bits: 2, multiples: [] },
  { name: 'an even number of bits', curve: HELIOS, bits: 6, multiples: [[], tables.helios] },
])('claims at a line: $name', ({ name, curve, bits, multiples }) => {
  const { field } = curve;
  const draw = pointsOf(curve, `lines on ${name}`);
  const native = createFcmpBackend('native');
  const both = (points: ChallengePoints) =>
    [native.claimLine.bind(native), claimLine].map(
      (line) => () => line(points, curve, bits, multiples),
    ) as [() => ClaimLine, () => ClaimLine];
  const reduced = (values: readonly bigint[]): bigint[] =>
    values.map((value) => ((value % field) + field) % field);

  it('has the weights of the reference', () => {
    for (let i = 0; i < 3; i++) {
      const [answer, expected] = both([draw(), draw()]).map((line) => plain(line())) as [
        ReturnType<typeof plain>,
        ReturnType<typeof plain>,
      ];
      // The reference leaves signs to its callers.
      const { slope, intercept } = expected;
      expect(answer).toEqual({
        ...expected,
        slope: reduced(slope as bigint[]),
        intercept: reduced(intercept as bigint[]),
      });
    }
  });

  it('is refused if it is vertical or meets a multiple of a generator', () => {
    const point = draw();
    const opposite = { x: point.x, y: field - point.y };
    for (const line of both([point, opposite])) expect(line).toThrow(RefusedProof);
    for (const line of both([point, point])) expect(line).toThrow(RefusedProof);
    const multiple = multiples.at(-1)?.[5];
    if (multiple === undefined) return;
    for (const line of both([point, multiple])) expect(line).toThrow(RefusedProof);
    expect(() => discreteLogChallenge([point, multiple], curve, bits)).not.toThrow();
  });
});

there.each([p, q])('square roots modulo %d', (prime) => {
  it('exist where those of the reference do', () => {
    const native = createFcmpBackend('native');
    const random = seededNumbers(`roots modulo ${prime}`);
    const values = [0n, 1n, 2n, 4n, prime - 1n, prime - 4n, (prime - 1n) / 2n];
    while (values.length < 60) values.push(random.below(prime));
    const roots = values.map((value) => native.squareRoot(value, prime));
    for (const [i, value] of values.entries()) {
      const [root, expected] = [roots[i], squareRoot(value, prime)];
      expect([value, root === undefined]).toEqual([value, expected === undefined]);
      if (root !== undefined) expect((root * root) % prime).toBe(value);
    }
    expect(roots.filter((root) => root !== undefined).length).toBeGreaterThan(15);
  });
});

there('a point of order two', () => {
  it('is refused, as the curve has no slope there', () => {
    // Wei25519 has one, (A/3, 0): the point (0, -1) of Ed25519.
    const x = (MONTGOMERY_A * invert(3n, p)) % p;
    expect(rightSide(WEI25519, x)).toBe(0n);
    const points: ChallengePoints = [pointsOf(WEI25519, 'other')(), { x, y: 0n }];
    const native = createFcmpBackend('native');
    expect(() => native.claimLine(points, WEI25519, ED_BITS, [])).toThrow(RefusedProof);
    expect(() => claimLine(points, WEI25519, ED_BITS, [])).toThrow(RefusedProof);
  });
});
