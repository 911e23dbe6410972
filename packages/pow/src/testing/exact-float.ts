/** Arithmetic on the bit patterns of doubles, done exactly with integers and rounded once (IEEE 754, chapter 4.3). */

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide';

/** Rounding modes as RandomX numbers them; 0 rounds to nearest. */
const DOWN = 1;
const UP = 2;
const TO_ZERO = 3;

const SIGN = 1n << 63n;
const HIDDEN_BIT = 1n << 52n;
const FRACTION = HIDDEN_BIT - 1n;
const INFINITY = 0x7ffn << 52n;
/** From the exponent field of a double to the exponent of its significand as an integer. */
const BIAS = 1075;

/** significand × 2^exponent */
interface Exact {
  readonly significand: bigint;
  readonly exponent: number;
}

/** The value of a finite, normal number or zero. */
function exact(bits: bigint): Exact {
  const field = Number((bits >> 52n) & 0x7ffn);
  const magnitude = field === 0 ? 0n : (bits & FRACTION) | HIDDEN_BIT;
  return { significand: bits & SIGN ? -magnitude : magnitude, exponent: field - BIAS };
}

const bitLength = (value: bigint) => value.toString(2).length;

/** Whether the magnitude is rounded away from zero; `rest` of `divisor` is what lies behind the significand. */
function roundsAway(mode: number, negative: boolean, odd: boolean, rest: bigint, divisor: bigint) {
  if (rest === 0n || mode === TO_ZERO) return false;
  if (mode === DOWN) return negative;
  if (mode === UP) return !negative;
  return 2n * rest > divisor || (2n * rest === divisor && odd);
}

/** numerator ÷ denominator × 2^exponent, rounded; not zero, and nothing subnormal may come out. */
function round(numerator: bigint, denominator: bigint, exponent: number, mode: number): bigint {
  const negative = numerator < 0n;
  const sign = negative ? SIGN : 0n;
  let dividend = negative ? -numerator : numerator;
  let divisor = denominator;
  let scale = exponent;
  // Make the quotient one of exactly 53 bits.
  const shift = BigInt(53 - bitLength(dividend) + bitLength(divisor));
  if (shift > 0n) dividend <<= shift;
  else divisor <<= -shift;
  scale -= Number(shift);
  if (dividend / divisor >= 2n * HIDDEN_BIT) {
    divisor <<= 1n;
    scale++;
  }
  let significand = dividend / divisor;
  const odd = (significand & 1n) === 1n;
  if (roundsAway(mode, negative, odd, dividend % divisor, divisor)) significand++;
  if (significand === 2n * HIDDEN_BIT) {
    significand = HIDDEN_BIT;
    scale++;
  }
  const field = scale + BIAS;
  if (field < 1) throw new RangeError('subnormal');
  if (field < 0x7ff) return sign | (BigInt(field) << 52n) | (significand & FRACTION);
  const isInfinite = roundsAway(mode, negative, true, 1n, 1n);
  return sign | (isInfinite ? INFINITY : INFINITY - 1n);
}

function addExact(a: bigint, b: bigint, mode: number): bigint {
  const x = exact(a);
  const y = exact(b);
  const exponent = Math.min(x.exponent, y.exponent);
  const sum =
    (x.significand << BigInt(x.exponent - exponent)) +
    (y.significand << BigInt(y.exponent - exponent));
  if (sum !== 0n) return round(sum, 1n, exponent, mode);
  // Zero: with the sign both have, or else minus only when rounding down (IEEE 754, 6.3).
  return mode === DOWN ? (a | b) & SIGN : a & b & SIGN;
}

/** The result's bits; operands are finite or, in the first place of a product or quotient, infinite. */
export function compute(operation: Operation, a: bigint, b: bigint, mode: number): bigint {
  if (operation === 'add') return addExact(a, b, mode);
  if (operation === 'subtract') return addExact(a, b ^ SIGN, mode);
  if (a === INFINITY) return INFINITY;
  const x = exact(a);
  const y = exact(b);
  if (operation === 'multiply') {
    return round(x.significand * y.significand, 1n, x.exponent + y.exponent, mode);
  }
  return round(x.significand, y.significand, x.exponent - y.exponent, mode);
}

/** The largest integer whose square is not larger (Newton's method). */
function integerRoot(value: bigint): bigint {
  let root = 1n << BigInt((bitLength(value) >> 1) + 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The square root's bits, of a positive number. */
export function computeRoot(a: bigint, mode: number): bigint {
  if (a === INFINITY) return INFINITY;
  const { significand, exponent } = exact(a);
  // Far more bits than a double has, and an even exponent.
  const shift = 120 + (exponent & 1);
  const square = significand << BigInt(shift);
  const root = integerRoot(square);
  // One more bit says that something follows; never a tie, as a root with 54 bits has a square of more than 53.
  const sticky = root * root === square ? 0n : 1n;
  return round(2n * root + sticky, 1n, (exponent - shift) / 2 - 1, mode);
}
