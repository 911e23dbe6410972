import { mod } from '@noble/curves/abstract/modular.js';
import { powersOf } from '../curves/fields.ts';
import { HELIOS, SELENE } from '../curves/helios-selene.ts';
import { REFERENCE_BACKEND } from '../backend/reference.ts';
import type { WeighedConstraints } from '../backend/weights.ts';
import type { ConstraintSink, Term, Variable } from '../circuit/circuit.ts';
import { createFcmpBackend } from '../choose-backend.ts';
import { seededNumbers } from '../testing/seeded-numbers.ts';
import { findFcmpAddon } from './addon.ts';

const there = findFcmpAddon() === undefined ? describe.skip : describe;
const GATES = 16;
const COMMITMENTS = 5;
const VALUES = 3;

there.each([HELIOS, SELENE])('constraints on $name', (curve) => {
  const { order } = curve;
  const random = seededNumbers(`constraints on ${curve.name}`);
  const upTo = (limit: number): number => Number(random.below(BigInt(limit)));
  const weighing = {
    n: GATES,
    values: VALUES,
    z: random.below(order),
    xPowers: powersOf(random.below(order), 2 * COMMITMENTS + 2, order),
  };

  const variable = (): Variable => {
    const side = (['aL', 'aR', 'aO', 'C', 'V'] as const)[upTo(5)] as Variable['side'];
    if (side === 'C') return { side, commitment: upTo(COMMITMENTS), slot: upTo(GATES) };
    return side === 'V' ? { side, commitment: upTo(VALUES) } : { side, gate: upTo(GATES) };
  };
  /** Shared by many constraints, and of different lengths. */
  const lists = Array.from({ length: 4 }, (_, k) =>
    Array.from({ length: 1 + 70 * k }, (_, i) => (i % 5 === 0 ? order - 1n : random.below(order))),
  );
  const constraints = (count: number, sink: ConstraintSink): void => {
    for (let i = 0; i < count; i++) {
      const terms = Array.from({ length: upTo(4) }, (): Term => {
        // Weights of terms are whatever numbers.
        const weight = [0n, 1n, -1n, order, -order - 5n, 1n << 300n][upTo(12)];
        return [variable(), weight ?? random.below(order)];
      });
      const products = Array.from({ length: upTo(3) }, () => {
        const weights = lists[upTo(lists.length)] as bigint[];
        return { weights, variables: weights.map(variable), isNegated: upTo(2) === 1 };
      });
      sink({ terms, products, constant: random.below(order) - (order >> 1n) });
    }
  };
  const reduced = ({ wL, wR, wO, wC, wV, kappa }: WeighedConstraints): bigint[][] =>
    [wL, wR, wO, wC, wV, [kappa]].map((all) => all.map((value) => mod(value, order)));

  // The last number is more than the addon takes at a time.
  it.each([0, 1, 20, 600])('%d of them', (count) => {
    const sinks: Parameters<ConstraintSink>[0][] = [];
    constraints(count, (constraint) => sinks.push(constraint));
    const constrain = (sink: ConstraintSink): void => sinks.forEach(sink);
    const expected = REFERENCE_BACKEND.weigh(curve, weighing, constrain);
    const answer = createFcmpBackend('native').weigh(curve, weighing, constrain);
    expect(reduced(answer)).toEqual(reduced(expected));
    expect(answer.kappa === 0n).toBe(count === 0);
  });

  test('one that is larger than the room for others', () => {
    const weights = Array.from({ length: 40_000 }, (_, i) => BigInt(i));
    const product = { weights, variables: weights.map(variable), isNegated: true };
    const constrain = (sink: ConstraintSink): void => {
      sink({ terms: [[variable(), 1n]], constant: 1n });
      sink({ terms: [], products: [product, product], constant: 0n });
    };
    const sinks: Parameters<ConstraintSink>[0][] = [];
    constrain((constraint) => sinks.push(constraint));
    const again = (sink: ConstraintSink): void => sinks.forEach(sink);
    const expected = REFERENCE_BACKEND.weigh(curve, weighing, again);
    expect(reduced(createFcmpBackend('native').weigh(curve, weighing, again))).toEqual(
      reduced(expected),
    );
  });
});
