import { seededRandom } from '@monero-node/base';
import { HELIOS_GENERATORS, SELENE_GENERATORS } from '../curves/generators.ts';
import type { CyclePoint } from '../curves/helios-selene.ts';
import { FixedBase } from './fixed-base.ts';

/** The sum by the library's own multiplication. */
function plainSum(points: readonly CyclePoint[], scalars: readonly bigint[]): CyclePoint {
  const [first] = points as [CyclePoint];
  return points.reduce((sum, point, i) => {
    const scalar = scalars[i] as bigint;
    return scalar === 0n ? sum : sum.add(point.multiply(scalar));
  }, first.subtract(first));
}

describe.each([
  ['Helios', HELIOS_GENERATORS],
  ['Selene', SELENE_GENERATORS],
])('%s', (_, generators) => {
  const { curve } = generators;
  const random = seededRandom(45);
  const scalar = (): bigint => {
    let value = 0n;
    for (let i = 0; i < 8; i++) value = (value << 32n) | BigInt(Math.floor(random() * 2 ** 32));
    return value % curve.order;
  };

  // Up to seven scalars and more of them have windows of another width.
  test.each([0, 1, 7, 8, 19])('sums of %s multiples', (count) => {
    const tables = new FixedBase(generators);
    for (const first of [0, 3]) {
      const scalars = Array.from({ length: count }, scalar);
      const points = generators.G(first + count).slice(first);
      const sum = count === 0 ? curve.Point.ZERO : plainSum(points, scalars);
      expect(tables.sum(first, scalars).equals(sum)).toBe(true);
    }
  });

  test('scalars at the borders of windows', () => {
    const tables = new FixedBase(generators);
    const borders = [0n, 1n, 7n, 8n, 9n, 127n, 128n, 129n, 255n, 256n, curve.order - 1n];
    const halves = [0x80n, 0x81n, 0x7fn].map((byte) => {
      let value = 0n;
      for (let i = 0; i < 31; i++) value = (value << 8n) | byte;
      return value;
    });
    for (const value of [...borders, ...halves, 2n ** 254n]) {
      const one = generators.G(1)[0] as CyclePoint;
      expect(tables.sum(0, [value]).equals(plainSum([one], [value]))).toBe(true);
      const many = Array.from({ length: 9 }, (__, i) => (i === 4 ? value : 0n));
      expect(tables.sum(0, many).equals(plainSum(generators.G(9), many))).toBe(true);
    }
  });

  test('generators that are equal or opposite, which no tree has', () => {
    const [P] = generators.G(1) as [CyclePoint];
    const points = [P, P, P.negate(), P, P.negate(), P.negate(), P, P, P];
    const tables = new FixedBase({ curve, G: (count) => points.slice(0, count) });
    const same = points.map(() => 77n);
    expect(tables.sum(0, same).equals(P.multiply(3n * 77n))).toBe(true);
    expect(tables.sum(0, [77n, 0n, 77n]).is0()).toBe(true);
    expect(tables.sum(0, [5n, 5n]).equals(P.multiply(10n))).toBe(true);
    const mixed = points.map(scalar);
    expect(tables.sum(0, mixed).equals(plainSum(points, mixed))).toBe(true);
  });
});
