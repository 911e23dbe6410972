import { concatBytes } from '@noble/hashes/utils.js';
import { AddonError } from '@monero-node/base/addons';
import { OptionError } from '@monero-node/base/options';
import { sampled, sampleSize } from '@monero-node/base/testing';
import { EdPoint } from '../curves/ed25519.ts';
import { elementBytes, l, p } from '../curves/fields.ts';
import { edGenerators, HELIOS_GENERATORS, SELENE_GENERATORS } from '../curves/generators.ts';
import { type CyclePoint, encodePoint } from '../curves/helios-selene.ts';
import { createFcmpBackend } from '../choose-backend.ts';
import { type FcmpAddon, findFcmpAddon } from '../native/addon.ts';
import { createNativeBackend } from '../native/backend.ts';
import { RefusedProof } from '../refused-proof.ts';
import {
  changed,
  type Change,
  type ProofFixture,
  readFixture,
  statementOf,
} from '../testing/fixtures.ts';
import { seededNumbers } from '../testing/seeded-numbers.ts';
import { verifyFcmpPlusPlus, verifyFcmpPlusPlusBatch } from '../verify.ts';
import { BackendUnavailable, type FcmpBackend } from './backend.ts';
import { REFERENCE_BACKEND } from './reference.ts';

// Without an addon there is nothing to compare.
const native = findFcmpAddon() === undefined ? undefined : createFcmpBackend('native');
const fast: readonly FcmpBackend[] = [
  ...(native === undefined ? [] : [native]),
  createFcmpBackend('wasm'),
];

/** What a function returns, or that it refuses; anything else that it throws is a mistake. */
function answerOf<T>(compute: () => T): T | 'refused' {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RefusedProof) return 'refused';
    throw error;
  }
}

describe.each(fast)('the $name backend answers as the reference', (backendUnderTest) => {
  const both: readonly [FcmpBackend, FcmpBackend] = [backendUnderTest, REFERENCE_BACKEND];
  describe.each([HELIOS_GENERATORS, SELENE_GENERATORS])('$curve.name', (generators) => {
    const { curve } = generators;
    const { Point, order, field } = curve;
    const random = seededNumbers(`backends on ${curve.name}`);
    /** Sizes and signs at which digits, words and the reduction change. */
    const edges = [
      ...[0n, 1n, 2n, order - 1n, order - 2n, (order - 1n) / 2n, (order + 1n) / 2n],
      ...[9n, 10n, 63n, 64n, 127n, 128n, 192n, 250n, 254n].flatMap((bit) => [
        1n << bit,
        (1n << bit) - 1n,
      ]),
      order - (1n << 64n),
    ];
    const pointOf = (scalar: bigint): CyclePoint => Point.BASE.multiplyUnsafe(scalar);
    const none = { points: [], scalars: [], g: 0n, h: 0n, G: [], H: [] };
    const sums = (terms: Partial<typeof none> & Record<string, unknown>): string[] =>
      both.map((backend) =>
        Buffer.from(encodePoint(backend.sum(generators, { ...none, ...terms }))).toString('hex'),
      );
    const expectSame = (terms: Record<string, unknown>): string => {
      const [answer, expected] = sums(terms) as [string, string];
      expect(answer).toBe(expected);
      return answer;
    };
    const IDENTITY = '00'.repeat(32);

    test('decoding', () => {
      const encodings = [
        ...Array.from({ length: sampleSize({ usual: 200, whole: 5000 }) }, () =>
          elementBytes(random.below(1n << 256n)),
        ),
        ...[0n, 1n, 2n, field - 1n, field, field + 1n, 2n * field - 1n, (1n << 255n) - 1n].flatMap(
          (x) => [elementBytes(x % (1n << 255n)), elementBytes((x % (1n << 255n)) | (1n << 255n))],
        ),
        ...[1n, 2n, order - 1n].map((scalar) => encodePoint(pointOf(scalar))),
      ];
      let points = 0;
      for (const bytes of encodings) {
        const [answer, expected] = both.map((backend) =>
          answerOf(() => {
            const { x, y } = backend.decodePoint(curve, bytes).toAffine();
            return [x, y];
          }),
        );
        expect([bytes, answer]).toEqual([bytes, expected]);
        if (answer !== 'refused') points++;
      }
      expect(points).toBeGreaterThan(encodings.length / 3);
      expect(points).toBeLessThan((2 * encodings.length) / 3);
    });

    test('one multiple of a point, and of generators', () => {
      for (const scalar of [...edges, ...Array.from({ length: 8 }, () => random.below(order))]) {
        const point = pointOf(1n + random.below(order - 1n));
        expectSame({ points: [point], scalars: [scalar] });
        expectSame({ g: scalar, h: order - 1n, G: [0n, scalar], H: [scalar, 0n] });
      }
    });

    test('scalars that are not reduced are mistakes', () => {
      for (const scalar of [1n << 255n, (1n << 256n) - 1n, 1n << 256n, -1n])
        for (const terms of [
          { points: [generators.g], scalars: [scalar] },
          { h: scalar },
          { G: [scalar], H: [1n] },
        ])
          for (const backend of both)
            expect(() => backend.sum(generators, { ...none, ...terms })).toThrow();
    });

    test('equal and opposite points, and sums that vanish', () => {
      const point = pointOf(random.below(order));
      const opposite = point.negate();
      for (const scalar of edges) {
        const other = (order - scalar) % order;
        expect(expectSame({ points: [point, point], scalars: [scalar, other] })).toBe(IDENTITY);
        expect(expectSame({ points: [point, opposite], scalars: [scalar, scalar] })).toBe(IDENTITY);
        expectSame({ points: [point, point, opposite], scalars: [scalar, scalar, 1n] });
        expect(expectSame({ points: [generators.g], scalars: [scalar], g: other })).toBe(IDENTITY);
        const [G] = generators.G(1) as [CyclePoint];
        const H = generators.H(2)[1] as CyclePoint;
        const fixed = { G: [other, 0n], H: [0n, other] };
        expect(expectSame({ points: [G, H], scalars: [scalar, scalar], ...fixed })).toBe(IDENTITY);
      }
      expect(expectSame({ points: [Point.ZERO, Point.ZERO], scalars: [5n, 0n] })).toBe(IDENTITY);
      expectSame({ points: [Point.ZERO, point], scalars: [5n, 1n] });
      expect(expectSame({})).toBe(IDENTITY);
    });

    test.each([[1], [7], [40], ...(sampleSize({ usual: 0, whole: 1 }) > 0 ? [[1500]] : [])])(
      'sums of %d points and as many pairs of generators',
      (count) => {
        const scalars = (): bigint[] =>
          Array.from(
            { length: count },
            (_, i) => edges[i % 7 === 3 ? i % edges.length : -1] ?? random.below(order),
          );
        const step = pointOf(random.below(order));
        const points = [step];
        while (points.length < count) points.push((points.at(-1) as CyclePoint).add(step));
        const terms = { points, scalars: scalars(), G: scalars(), H: scalars() };
        expectSame({ ...terms, g: random.below(order), h: random.below(order) });
      },
    );
  });

  describe('Ed25519', () => {
    const random = seededNumbers('backends on Ed25519');
    const torsion = EdPoint.fromHex(
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    );

    test('decoding', () => {
      const point = EdPoint.BASE.multiplyUnsafe(random.below(l));
      const encodings = [
        ...Array.from({ length: 60 }, () => elementBytes(random.below(1n << 256n))),
        ...[0n, 1n, 2n, p - 1n, p, p + 1n, (1n << 255n) - 1n].flatMap((y) => [
          elementBytes(y),
          elementBytes(y | (1n << 255n)),
        ]),
        ...Array.from({ length: 8 }, (_, i) =>
          point.add(torsion.multiplyUnsafe(BigInt(i))).toBytes(),
        ),
      ];
      for (const bytes of encodings) {
        const [answer, expected] = both.map((backend) =>
          answerOf(() => backend.decodeEdPoint(bytes).toBytes()),
        );
        expect([bytes, answer]).toEqual([bytes, expected]);
      }
    });

    test('scalars that are not reduced are mistakes', () => {
      for (const scalar of [1n << 253n, (1n << 256n) - 1n, 1n << 256n, -1n])
        for (const backend of both)
          expect(() => backend.edSum([edGenerators().G], [scalar])).toThrow();
    });

    test.each([[0], [1], [14], [310]])('sums of %d points', (count) => {
      const edges = [0n, 1n, l - 1n, 1n << 252n, (1n << 252n) - 1n, 8n];
      const points: EdPoint[] = [];
      for (let i = 0; i < count; i++) {
        const { G, T, U, V } = edGenerators();
        points.push(i % 9 === 5 ? EdPoint.ZERO : ([G, T, U, V, G.negate()][i % 5] as EdPoint));
      }
      const scalars = points.map((_, i) => edges[i % 11] ?? random.below(l));
      const [answer, expected] = both.map((backend) => backend.edSum(points, scalars).toHex());
      expect(answer).toBe(expected);
    });
  });

  describe('proofs', () => {
    const fixtures = readFixture<ProofFixture[]>('proofs');
    const recorded = readFixture<ProofFixture[]>('recorded');

    it.each(sampled([...fixtures, ...recorded], 29))('$name', (fixture) => {
      const statement = statementOf(fixture);
      for (const backend of both) {
        expect(verifyFcmpPlusPlus(statement, backend)).toBe(fixture.valid);
      }
    });

    it('refuses every change', () => {
      const all = fixtures.flatMap((fixture) =>
        fixture.changes.map((change): [ProofFixture, Change] => [fixture, change]),
      );
      for (const [fixture, change] of sampled(all, 150)) {
        const statement = changed(statementOf(fixture), change);
        const answers = both.map((backend) => verifyFcmpPlusPlus(statement, backend));
        expect([fixture.name, change, ...answers]).toEqual([fixture.name, change, false, false]);
      }
    });

    it('as batches', () => {
      // The others are slow, and their batches are added up by the same code.
      const members = backendUnderTest === native ? recorded : sampled(recorded, 9);
      const valid = members.map(statementOf);
      expect(verifyFcmpPlusPlusBatch(valid, backendUnderTest)).toBe(true);
      const [first, ...others] = valid as [(typeof valid)[0], ...typeof valid];
      const wrong = {
        ...first,
        message: concatBytes(Uint8Array.of(1), first.message.subarray(1)),
      };
      for (const place of [0, others.length >> 1, others.length]) {
        const batch = [...others.slice(0, place), wrong, ...others.slice(place)];
        expect(verifyFcmpPlusPlusBatch(batch, backendUnderTest)).toBe(false);
      }
    });
  });
});

test('without a name the fastest backend is taken, and others by their name', () => {
  expect(createFcmpBackend('reference').name).toBe('reference');
  expect(createFcmpBackend('wasm').name).toBe('wasm');
  expect(createFcmpBackend().name).toBe(native === undefined ? 'wasm' : 'native');
  expect(() => createFcmpBackend('fast' as 'auto')).toThrow(OptionError);
  expect(() => createFcmpBackend('auto', { fallback: () => 0 } as object)).toThrow(OptionError);
});

function throwing(error: Error): () => never {
  return () => {
    throw error;
  };
}
const missing = throwing(new AddonError('not built', { isMissing: true }));
const broken = throwing(new AddonError('undefined symbol', { isMissing: false }));

test('an addon that is there and does not load is not taken for one that is not there', () => {
  expect(findFcmpAddon(missing)).toBeUndefined();
  expect(() => findFcmpAddon(broken)).toThrow('undefined symbol');
});

test('wasm, then the reference takes the place of what does not work, and of no other mistake', () => {
  const reasons: string[] = [];
  const onFallback = (reason: string): number => reasons.push(reason);
  for (const load of [missing, broken]) {
    const native = () => createNativeBackend(load);
    expect(createFcmpBackend('auto', { onFallback, native }).name).toBe('wasm');
    expect(() => createFcmpBackend('native', { native })).toThrow();
  }
  expect(reasons).toEqual(['not built', 'undefined symbol']);
  const wasm = throwing(new BackendUnavailable('forbidden'));
  expect(() => createFcmpBackend('wasm', { wasm })).toThrow('forbidden');
  const options = { onFallback, native: () => createNativeBackend(missing), wasm };
  expect(createFcmpBackend('auto', options)).toBe(REFERENCE_BACKEND);
  expect(reasons.splice(2)).toEqual(['not built; forbidden']);
  const native = throwing(new TypeError('a mistake'));
  expect(() => createFcmpBackend('auto', { onFallback, native })).toThrow('a mistake');
  expect(() => createNativeBackend(native)).toThrow('a mistake');
  expect(reasons).toHaveLength(2);
});

test('whether the identity is taken is not for the addon to say', () => {
  const decodeCyclePoint = throwing(new Error('asked'));
  const backend = createNativeBackend(() => ({ decodeCyclePoint }) as unknown as FcmpAddon);
  const decode = (first: number) =>
    backend.decodePoint(HELIOS_GENERATORS.curve, Uint8Array.of(first, ...new Uint8Array(31)));
  expect(() => decode(0)).toThrow(RefusedProof);
  expect(() => decode(1)).toThrow('asked');
});

(native === undefined ? test.skip : test)('the addon takes whole numbers of 32 bits only', () => {
  const addon = findFcmpAddon() as FcmpAddon;
  const { g } = HELIOS_GENERATORS;
  const decode = (curve: unknown) =>
    addon.decodeCyclePoint(curve as number, encodePoint(g), new Uint8Array(64));
  expect(decode(0)).toBe(true);
  for (const curve of [NaN, 0.5, 1.9, 2, -1, -0.5, 2 ** 32, 2 ** 32 + 1, Infinity, 0n, '0']) {
    expect(() => decode(curve)).toThrow(TypeError);
  }
  const state = () => new Uint8Array(32 * 18);
  const none = new Uint8Array(0);
  const add = (gates: number) => {
    addon.addConstraints(0, gates, state(), new Uint32Array(0), none, new Uint8Array(32));
  };
  add(4);
  for (const gates of [2 ** 32 + 4, 4.5, NaN])
    expect(() => {
      add(gates);
    }).toThrow(TypeError);
});
