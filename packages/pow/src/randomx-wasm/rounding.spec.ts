import { compute, computeRoot, type Operation } from '../testing/exact-float.ts';
import { randomxParts } from '../testing/randomx-parts.ts';

const parts = randomxParts();
const at = parts.data();
const view = new DataView(parts.memory.buffer);
const run = {
  add: parts.addPairs,
  subtract: parts.subtractPairs,
  multiply: parts.multiplyPairs,
  divide: parts.dividePairs,
};

const MODES = [0, 1, 2, 3];
const OPERATIONS: Operation[] = ['add', 'subtract', 'multiply', 'divide'];
const SIGN = 1n << 63n;
const INFINITY = 0x7ffn << 52n;
const MAX_FRACTION = (1n << 52n) - 1n;

type Pair = readonly [bigint, bigint];

function onPairs(operation: Operation | 'root', a: Pair, b: Pair, mode: number): bigint[] {
  for (const [i, bits] of [...a, ...b].entries()) view.setBigUint64(at + 8 * i, bits, true);
  (operation === 'root' ? parts.rootPair : run[operation])(at, mode);
  return [view.getBigUint64(at, true), view.getBigUint64(at + 8, true)];
}

const hex = (bits: readonly bigint[]) => bits.map((word) => word.toString(16).padStart(16, '0'));

/** Numbers without a pattern, the same in every run (Marsaglia, xorshift64). */
function* randomWords(): Generator<bigint, never> {
  for (let x = 88172645463325252n; ;) {
    x ^= BigInt.asUintN(64, x << 13n);
    x ^= x >> 7n;
    x ^= BigInt.asUintN(64, x << 17n);
    yield x;
  }
}

const words = randomWords();
const word = () => words.next().value;
const below = (count: number) => Number(word() % BigInt(count));

/** A fraction, half of the time one near the ends, with few bits or with all in one half. */
function fraction(): bigint {
  const few = BigInt(below(4));
  const choices = [few, MAX_FRACTION - few, MAX_FRACTION & (word() << 27n), word() & 0x7ffffffn];
  return choices[below(8)] ?? word() & MAX_FRACTION;
}

const number = (low: number, high: number) =>
  (BigInt(low + below(high - low + 1)) << 52n) | fraction();

const signed = (bits: bigint) => bits | (word() & SIGN);

/** Values of group F registers: up to 2^48, the results of FSCAL_R on those and on zero, and zeros. */
function additive(): bigint {
  const choices = [0n, 15n << 52n, number(1022, 1023)];
  return signed(choices[below(10)] ?? number(1008, 1071));
}

/** Operands of the operation that can occur in RandomX. */
function operands(operation: Operation): Pair {
  if (operation === 'multiply') return [number(700, 2046), number(1023, 1054)];
  if (operation === 'divide') return [number(700, 2046), number(768, 1023)];
  const a = additive();
  return [a, below(10) === 0 ? a ^ (word() & SIGN) : additive()];
}

test.each(OPERATIONS)('%s is exact arithmetic rounded once, in all modes', (operation) => {
  const wrong: string[] = [];
  for (let i = 0; i < 4000; i++) {
    const [a, b] = operands(operation);
    const [c, d] = operands(operation);
    for (const mode of MODES) {
      const wanted = [compute(operation, a, b, mode), compute(operation, c, d, mode)];
      const got = onPairs(operation, [a, c], [b, d], mode);
      if (got[0] === wanted[0] && got[1] === wanted[1]) continue;
      wrong.push(`mode ${mode}: ${hex([a, b, c, d])} gave ${hex(got)} and not ${hex(wanted)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('roots, up to the largest number', () => {
  const wrong: string[] = [];
  const radicands = [INFINITY - 1n, INFINITY - 2n, 0x7fe0000000000000n];
  for (let i = 0; i < 2000; i++) radicands.push(number(700, 2046));
  for (const a of radicands) {
    for (const mode of MODES) {
      const wanted = computeRoot(a, mode);
      const got = onPairs('root', [a, a], [0n, 0n], mode);
      if (got[0] === wanted && got[1] === wanted) continue;
      wrong.push(`mode ${mode}: ${hex([a])} gave ${hex(got)} and not ${hex([wanted])}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('infinity stays, and what is too large becomes infinite or the largest number', () => {
  const largest = INFINITY - 1n;
  const two = 0x4000000000000000n;
  const half = 0x3fe0000000000000n;
  const three = 0x4008000000000000n;
  for (const mode of MODES) {
    expect(onPairs('multiply', [INFINITY, INFINITY], [three, three], mode)[0]).toBe(INFINITY);
    expect(onPairs('divide', [INFINITY, INFINITY], [half, half], mode)[0]).toBe(INFINITY);
    expect(onPairs('root', [INFINITY, INFINITY], [0n, 0n], mode)[0]).toBe(INFINITY);
    const tooLarge = mode === 1 || mode === 3 ? largest : INFINITY;
    expect(onPairs('multiply', [largest, largest], [two, three], mode)).toEqual([
      tooLarge,
      tooLarge,
    ]);
    expect(onPairs('divide', [largest, largest], [half, half], mode)[0]).toBe(tooLarge);
  }
});

test('a sum of zero is minus zero only when rounding down', () => {
  const five = 0x4014000000000000n;
  for (const mode of MODES) {
    const zero = mode === 1 ? SIGN : 0n;
    expect(onPairs('add', [five, 0n], [five | SIGN, SIGN], mode)).toEqual([zero, zero]);
    expect(onPairs('subtract', [five, 0n], [five, 0n], mode)).toEqual([zero, zero]);
    expect(onPairs('add', [0n, SIGN], [0n, SIGN], mode)).toEqual([0n, SIGN]);
  }
});

/** Operands and results of the reference implementation's tests: the lower and upper half of a register, by mode. */
const REFERENCE: [Operation | 'root', Pair, Pair, Record<number, string>][] = [
  [
    'add',
    [0xc1ce30b3c4223576n, 0x3ffd2c97cc4ef015n],
    [0x40b8f684057a59e1n, 0x402a26a86a60c8fbn],
    {
      0: 'b932e048a730cec1fea6ea633bcc2d40',
      1: 'b932e048a730cec1fda6ea633bcc2d40',
      2: 'b832e048a730cec1fea6ea633bcc2d40',
      3: 'b832e048a730cec1fda6ea633bcc2d40',
    },
  ],
  [
    'multiply',
    [0x40fdfdabb6173d07n, 0x41dbc35cef248783n],
    [0x41c4561212ae2d50n, 0x40eba861aa31c7c0n],
    {
      0: '69697aff350fd3422f1589cdecfed742',
      1: '69697aff350fd3422e1589cdecfed742',
      2: '6a697aff350fd3422f1589cdecfed742',
      3: '69697aff350fd3422e1589cdecfed742',
    },
  ],
  [
    'root',
    [0x40526a7e778d9824n, 0x41b6b21c11affea7n],
    [0n, 0n],
    {
      0: 'e81f300b612a21408dbaa33f570ed340',
      1: 'e81f300b612a21408cbaa33f570ed340',
      2: 'e91f300b612a21408dbaa33f570ed340',
      3: 'e81f300b612a21408cbaa33f570ed340',
    },
  ],
];

test.each(REFERENCE)('reference vectors: %s', (operation, a, b, results) => {
  for (const mode of MODES) {
    const got = onPairs(operation, a, b, mode);
    expect(Buffer.from(BigUint64Array.from(got).buffer).toString('hex')).toBe(results[mode]);
  }
});
