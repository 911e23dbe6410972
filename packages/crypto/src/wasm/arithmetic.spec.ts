import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { Fp, rootCandidate } from '../curve/field.ts';
import { Fn } from '../curve/scalar.ts';
import { createTestRandom } from '../testing/random.ts';
import { loadWasmInternals } from '../testing/wasm-internals.ts';

const { memory, call } = loadWasmInternals();

// Addresses of three arguments and of the result.
const base = call('input', 1024);
const [R, A, B] = [base, base + 128, base + 256];
const limbs = (at: number) => new BigInt64Array(memory.buffer, at, 9);
const bytes = (at: number) => new Uint8Array(memory.buffer, at, 32);

const p = Fp.ORDER;
const l = Fn.ORDER;
const random = createTestRandom('arithmetic');

function valueOf(at: number): bigint {
  return Fp.create(limbs(at).reduceRight((sum, limb) => (sum << 29n) + limb, 0n));
}

/** A number from -bound to bound. */
function between(bound: bigint): bigint {
  return (bytesToNumberLE(random.bytes()) % (2n * bound + 1n)) - bound;
}

/** Limbs of that many units: random, all at the upper end, all at the lower end, or alternating. */
function fill(at: number, units: number, kind: number): bigint {
  const target = limbs(at);
  for (let i = 0; i < 9; i++) {
    const bound = BigInt(units) * (i === 8 ? 2n ** 22n : 2n ** 28n) + (i < 2 ? 2n ** 16n : 0n);
    const extreme = kind === 2 || (kind === 3 && i % 2 === 1) ? -bound : bound;
    target[i] = kind === 0 ? between(bound) : extreme;
  }
  return valueOf(at);
}

function expectOneUnit(at: number): void {
  for (const [i, limb] of limbs(at).entries()) {
    const bound = (i === 8 ? 2n ** 22n : 2n ** 28n) + (i < 2 ? 2n ** 16n : 0n);
    expect(limb >= -bound && limb <= bound).toBe(true);
  }
}

const EDGES_OF_P = [0n, 1n, 2n, 19n, p - 2n, p - 1n, p, p + 1n, p + 18n, 2n ** 255n - 1n];
const EDGES_OF_L = [0n, 1n, 2n, l - 2n, l - 1n, 2n ** 252n - 1n, 2n ** 252n, 2n ** 252n + 1n];
const WIDE_EDGES = Array.from({ length: 16 }, (_, i) => BigInt(i) * l)
  .flatMap((multiple) => [multiple - 1n, multiple, multiple + 1n])
  .concat(2n ** 256n - 1n, 2n ** 255n)
  .filter((value) => value >= 0n && value < 2n ** 256n);

describe('field arithmetic in WebAssembly', () => {
  // The largest units the representation allows: their product is at most 15.
  test.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [3, 5],
    [1, 15],
    [15, 1],
  ])('multiplies %i by %i units', (unitsA, unitsB) => {
    for (let i = 0; i < 200; i++) {
      const [a, b] = [fill(A, unitsA, i % 4), fill(B, unitsB, (i >> 2) % 4)];
      call('fieldMultiply', R, A, B);
      expect(valueOf(R)).toBe(Fp.mul(a, b));
      expectOneUnit(R);
    }
  });

  test('multiplies by a packed factor', () => {
    for (let i = 0; i < 200; i++) {
      const [a, b] = [fill(A, 4, i % 4), fill(B, 2, (i >> 2) % 4)];
      const packed = new Int32Array(memory.buffer, base + 512, 9);
      for (const [k, limb] of limbs(B).entries()) packed[k] = Number(limb);
      call('fieldMultiplyPacked', R, A, base + 512);
      expect(valueOf(R)).toBe(Fp.mul(a, b));
      expectOneUnit(R);
    }
  });

  test('squares, also in place', () => {
    for (let i = 0; i < 400; i++) {
      const a = fill(A, 1 + (i % 3), (i >> 2) % 4);
      call('fieldSquare', A, A);
      expect(valueOf(A)).toBe(Fp.sqr(a));
      expectOneUnit(A);
    }
  });

  test('adds, subtracts and negates', () => {
    for (let i = 0; i < 100; i++) {
      const [a, b] = [fill(A, 1, 0), fill(B, 2, 0)];
      call('fieldAdd', R, A, B);
      expect(valueOf(R)).toBe(Fp.add(a, b));
      call('fieldSubtract', R, A, B);
      expect(valueOf(R)).toBe(Fp.sub(a, b));
      call('fieldNegate', R, A);
      expect(valueOf(R)).toBe(Fp.neg(a));
    }
  });

  test('carries', () => {
    for (let i = 0; i < 200; i++) {
      const a = fill(A, 1 + (i % 8), (i >> 3) % 4);
      call('fieldCarry', A, A);
      expect(valueOf(A)).toBe(a);
      expectOneUnit(A);
    }
  });

  test('reads bytes, canonical or not', () => {
    const values = [...EDGES_OF_P, ...Array.from({ length: 100 }, () => between(2n ** 255n - 1n))];
    for (const value of values.map((v) => (v < 0n ? -v : v))) {
      for (const topBit of [0n, 2n ** 255n]) {
        bytes(B).set(numberToBytesLE(value + topBit, 32));
        call('fieldFromBytes', A, B);
        expect(valueOf(A)).toBe(Fp.create(value));
        expectOneUnit(A);
      }
    }
  });

  test('writes canonical bytes of any limbs', () => {
    const check = () => {
      const value = valueOf(A);
      call('fieldToBytes', B, A);
      expect(bytesToNumberLE(bytes(B))).toBe(value);
      expect(call('fieldIsOdd', A)).toBe(Number(value & 1n));
      expect(call('fieldIsZero', A)).toBe(Number(value === 0n));
    };
    for (let i = 0; i < 200; i++) {
      fill(A, 1 + (i % 8), (i >> 3) % 4);
      check();
    }
    // The neighborhood of the multiples of p from -8p to 8p, all in the limb that carries last or in the first.
    for (let k = -8n; k <= 8n; k++) {
      for (let offset = -40n; offset <= 40n; offset++) {
        limbs(A).fill(0n);
        limbs(A)[8] = k << 23n;
        limbs(A)[0] = offset;
        check();
      }
    }
  });

  test('computes inverses and root candidates', () => {
    for (let i = 0; i < 20; i++) {
      const [a, b] = [fill(A, 1, i % 2), fill(B, 1, 0)];
      call('fieldInvert', R, A);
      expect(valueOf(R)).toBe(a === 0n ? 0n : Fp.inv(a));
      call('fieldRootCandidate', R, A, B);
      expect(valueOf(R)).toBe(rootCandidate(a, b));
    }
    limbs(A).fill(0n);
    call('fieldInvert', R, A);
    expect(valueOf(R)).toBe(0n);
  });
});

describe('scalar arithmetic in WebAssembly', () => {
  const write = (at: number, value: bigint) => bytes(at).set(numberToBytesLE(value, 32));
  const read = (at: number) => bytesToNumberLE(bytes(at));
  const scalars = [...EDGES_OF_L, ...Array.from({ length: 40 }, () => random.scalar())];

  test('adds, subtracts and multiplies canonical scalars', () => {
    for (const a of scalars) {
      write(A, a);
      call('scalarNegate', R, A);
      expect(read(R)).toBe(Fn.neg(a));
      for (const b of scalars) {
        write(B, b);
        call('scalarAdd', R, A, B);
        expect(read(R)).toBe(Fn.add(a, b));
        call('scalarSubtract', R, A, B);
        expect(read(R)).toBe(Fn.sub(a, b));
        call('scalarMultiply', R, A, B);
        expect(read(R)).toBe(Fn.mul(a, b));
      }
    }
  });

  test('writes results over arguments', () => {
    for (const a of scalars) {
      write(A, a);
      call('scalarAdd', A, A, A);
      call('scalarMultiply', A, A, A);
      write(B, 5n);
      call('scalarSubtract', B, A, B);
      call('scalarNegate', B, B);
      expect(read(B)).toBe(Fn.create(5n - 4n * a * a));
    }
  });

  test('reduces and multiplies any 256 bits, and recognizes canonical scalars', () => {
    const wide = [
      ...WIDE_EDGES,
      ...Array.from({ length: 200 }, () => bytesToNumberLE(random.bytes())),
    ];
    for (const a of wide) {
      write(A, a);
      expect(call('scalarIsCanonical', A)).toBe(Number(a < l));
      call('scalarReduce', R, A);
      expect(read(R)).toBe(a % l);
      for (const b of WIDE_EDGES) {
        write(B, b);
        call('scalarMultiply', R, A, B);
        expect(read(R)).toBe((a * b) % l);
      }
    }
  });

  test('inverts one scalar and many', () => {
    for (const [i, a] of [...EDGES_OF_L.slice(1), ...scalars.slice(-10)].entries()) {
      write(A, a);
      call('scalarInvert', R, A);
      expect([i, read(R)]).toEqual([i, Fn.inv(a)]);
    }
    write(A, 0n);
    call('scalarInvert', R, A);
    expect(read(R)).toBe(0n);

    const area = call('input', 4096);
    const many = scalars.filter((a) => a !== 0n);
    for (const [i, a] of many.entries()) write(area + 32 * i, a);
    const inverses = area + 32 * many.length;
    call('scalarInvertAll', inverses, area, many.length);
    for (const [i, a] of many.entries()) expect(read(inverses + 32 * i)).toBe(Fn.inv(a));
  });
});
