import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import { numberToBytesLE } from '@noble/curves/utils.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { Fp } from '../curve/field.ts';
import { hashToPoint, pointFromFieldBytes } from '../curve/hash-to-point.ts';
import { decodePoint, encodePoints, G, Point } from '../curve/point.ts';
import { decodeScalar, encodeScalar, Fn } from '../curve/scalar.ts';
import { aggregationCoefficients, challengeHash } from '../proofs/clsag-hashes.ts';
import { slidScalar } from '../reference/borromean.ts';
import { CASES, fraction, SEED, TIME_LIMIT } from '../testing/differential/describe.ts';
import { mixedPoint, oddInteger, oddPoint, oddScalar, drawBelow } from '../testing/odd-inputs.ts';
import { slideVectors } from '../testing/old-fixtures.ts';
import { createTestRandom, type TestRandom } from '../testing/random.ts';
import { loadWasmInternals } from '../testing/wasm-internals.ts';
import type { ClsagProof } from '../types.ts';

/** Returns the challenge after the last round of a signature, by the reference's arithmetic. */
function finalChallenge(proof: ClsagProof): bigint {
  const { muP, muC } = aggregationCoefficients(proof);
  const nextChallenge = challengeHash(proof);
  const decode = (bytes: Uint8Array) => decodePoint(bytes) as Point;
  const D8 = decode(proof.D).clearCofactor();
  let challenge = decodeScalar(proof.c1) as bigint;
  for (const [i, { key, commitment }] of proof.ring.entries()) {
    const s = decodeScalar(proof.s[i] as Uint8Array) as bigint;
    const factors = [s, Fn.mul(challenge, muP), Fn.mul(challenge, muC)];
    const difference = decode(commitment).subtract(decode(proof.pseudoOut));
    const left = mulAddUnsafe(Point, [G, decode(key), difference], factors);
    const right = mulAddUnsafe(Point, [hashToPoint(key), decode(proof.keyImage), D8], factors);
    challenge = nextChallenge(...(encodePoints([left, right]) as [Uint8Array, Uint8Array]));
  }
  return challenge;
}

/** Returns a false signature, every element of which decodes. */
function madeUpClsag(random: TestRandom): ClsagProof {
  const ring = Array.from({ length: 1 + drawBelow(random, 3) }, () => ({
    key: oddPoint(random),
    commitment: oddPoint(random),
  }));
  return {
    ring,
    message: random.bytes(),
    pseudoOut: oddPoint(random),
    keyImage: mixedPoint(random),
    D: mixedPoint(random),
    s: ring.map(() => encodeScalar(oddScalar(random))),
    c1: encodeScalar(oddScalar(random)),
  };
}

describe(`inside the WebAssembly module, ${CASES} cases from '${SEED}'`, () => {
  const { memory, call } = loadWasmInternals();
  const area = call('input', 2 ** 20);
  const write = (at: number, bytes: Uint8Array) => new Uint8Array(memory.buffer).set(bytes, at);
  const read = (at: number) => bytesToHex(new Uint8Array(memory.buffer, at, 32));

  test(
    'the map to the curve',
    () => {
      const random = createTestRandom(`${SEED} map`);
      const edges = [0n, 1n, 2n, Fp.ORDER, 2n * Fp.ORDER, 2n ** 255n, 2n ** 256n - 1n]
        .flatMap((value) => [value - 1n, value, value + 1n])
        .filter((value) => value >= 0n && value < 2n ** 256n);
      const odd = Array.from({ length: CASES }, () => oddInteger(random));
      for (const bytes of [...edges, ...odd].map((value) => numberToBytesLE(value, 32))) {
        write(area, bytes);
        call('mapToPoint', area + 32, area);
        expect(read(area + 32)).toBe(pointFromFieldBytes(bytes).toHex());
      }
    },
    TIME_LIMIT,
  );

  test(
    'multiplication by 256 bits as upstream recodes them',
    () => {
      const random = createTestRandom(`${SEED} slide`);
      const check = (bytes: Uint8Array, expected: string) => {
        write(area, bytes);
        call('slidProduct', area + 32, area);
        expect([bytesToHex(bytes), read(area + 32)]).toEqual([bytesToHex(bytes), expected]);
      };
      for (const [scalar, point] of slideVectors()) check(hexToBytes(scalar), point);
      for (let i = 0; i < CASES; i++) {
        const bytes = numberToBytesLE(oddInteger(random), 32);
        check(bytes, G.multiplyUnsafe(slidScalar(bytes)).toHex());
      }
    },
    TIME_LIMIT,
  );

  const sum = (points: readonly Point[], scalars: readonly bigint[], withBuckets: boolean) => {
    for (const [i, point] of points.entries()) {
      write(area + 64 + 64 * i, encodeScalar(scalars[i] as bigint));
      write(area + 64 + 64 * i + 32, point.toBytes());
    }
    expect(call('sumOfProducts', area, area + 64, points.length, Number(withBuckets))).toBe(1);
    return read(area);
  };

  test(
    'sums of a few products, with small tables and with buckets',
    () => {
      const random = createTestRandom(`${SEED} sums`);
      for (let i = 0; i < fraction(2); i++) {
        const count = drawBelow(random, 5);
        const points = Array.from({ length: count }, () => decodePoint(oddPoint(random)) as Point);
        const scalars = points.map(() => oddScalar(random));
        const expected = points
          .reduce((total, P, k) => total.add(P.multiplyUnsafe(scalars[k] as bigint)), Point.ZERO)
          .toHex();
        expect(sum(points, scalars, false)).toBe(expected);
        expect(sum(points, scalars, true)).toBe(expected);
      }
    },
    TIME_LIMIT,
  );

  // The number of points determines the window width.
  test.each([30, 100, 300, 1000, 4000])(
    'a sum of %i products',
    (count) => {
      const random = createTestRandom(`${SEED} long sum`);
      const few = Array.from({ length: 20 }, () => decodePoint(oddPoint(random)) as Point);
      const points = Array.from({ length: count }, (_, i) => few[i % 20] as Point);
      const scalars = points.map((_, i) => (i % 3 ? random.scalar() : oddScalar(random)));
      const expected = few.reduce((total, P, k) => {
        // Not reduced modulo l, since P may have torsion; 8·l is the order of the whole group.
        const factor = scalars.reduce((all, s, i) => (i % 20 === k ? all + s : all), 0n);
        const [low, high] = [factor % Fn.ORDER, (factor / Fn.ORDER) % 8n];
        const timesL = P.multiplyUnsafe(Fn.ORDER - 1n).add(P);
        return total.add(P.multiplyUnsafe(low)).add(timesL.multiplyUnsafe(high));
      }, Point.ZERO);
      expect(sum(points, scalars, true)).toBe(expected.toHex());
      if (count <= 64) expect(sum(points, scalars, false)).toBe(expected.toHex());
    },
    TIME_LIMIT,
  );

  test(
    'the challenges of made-up CLSAGs',
    () => {
      const random = createTestRandom(`${SEED} challenges`);
      for (let i = 0; i < fraction(5); i++) {
        const proof = madeUpClsag(random);
        const { c1, message, keyImage, D, pseudoOut, s, ring } = proof;
        const free = new Uint8Array(32);
        const elements = [c1, message, keyImage, D, pseudoOut, ...s, free];
        for (const { key } of ring) elements.push(key);
        for (const { commitment } of ring) elements.push(commitment);
        for (const [k, element] of elements.entries()) write(area + 32 * k, element);
        expect(call('verifyClsag', area, ring.length)).toBe(0);
        call('lastChallenge', area);
        expect(read(area)).toBe(bytesToHex(encodeScalar(finalChallenge(proof))));
      }
    },
    TIME_LIMIT,
  );
});
