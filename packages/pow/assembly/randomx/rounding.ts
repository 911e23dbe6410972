/**
 * Arithmetic on pairs of doubles in the four rounding modes of IEEE 754. WebAssembly rounds to nearest only; here the
 * result of that is moved by one unit in the last place where the sign of its exact error asks for it. The errors are
 * those of Knuth's sum and Dekker's product (Dekker, "A floating-point technique for extending the available
 * precision", 1971).
 *
 * Good for what RandomX's registers can hold: no NaN and nothing subnormal; group E, which is multiplied, divided and
 * rooted, is positive and may be infinite; group A, which multiplies, and divisors are positive and finite.
 */

export const NEAREST: u32 = 0;
const DOWN: u32 = 1;
const UP: u32 = 2;
// The fourth mode, 3, rounds to zero.

/** Fraction bits of a double. @inline */
function fractionMask(): v128 {
  return i64x2.splat(0x000fffffffffffff);
}

/** The bits of 1.0. @inline */
function one(): v128 {
  return f64x2.splat(1);
}

/** Minus zero: only the sign bits. @inline */
function signs(): v128 {
  return i64x2.splat(i64.MIN_VALUE);
}

/** All ones where a lane's sign bit is set. @inline */
function isNegative(x: v128): v128 {
  return i64x2.shr_s(x, 63);
}

/** Where x is infinite, for x without NaN and sign. @inline */
function isInfinite(x: v128): v128 {
  return f64x2.eq(x, f64x2.splat(Infinity));
}

/** The same fraction in [1, 2), for positive numbers. @inline */
export function normalize(x: v128): v128 {
  return v128.or(v128.and(x, fractionMask()), one());
}

/** The upper 26 bits of the significand, rounded; what is left then has at most 26 bits and a sign. @inline */
export function upperHalf(x: v128): v128 {
  return v128.and(i64x2.add(x, i64x2.splat(0x4000000)), i64x2.splat(-0x8000000));
}

/** a × b - product exactly, given the halves of a and b. @inline */
function productError(ah: v128, al: v128, bh: v128, bl: v128, product: v128): v128 {
  const high = f64x2.sub(f64x2.mul(ah, bh), product);
  const middle = f64x2.add(f64x2.add(high, f64x2.mul(ah, bl)), f64x2.mul(al, bh));
  return f64x2.add(middle, f64x2.mul(al, bl));
}

/** a + b rounded by `mode`. */
export function add(a: v128, b: v128, mode: u32): v128 {
  const sum = f64x2.add(a, b);
  if (mode == NEAREST) return sum;
  const added = f64x2.sub(sum, a);
  const error = f64x2.add(f64x2.sub(a, f64x2.sub(sum, added)), f64x2.sub(b, added));
  const zero = f64x2.splat(0);
  const negative = isNegative(sum);
  const ones = i64x2.splat(1);
  if (mode == DOWN) {
    // A unit less is one bit pattern less for positive numbers, one more for negative ones.
    const step = v128.and(f64x2.lt(error, zero), v128.or(v128.not(negative), ones));
    // Zeros that are not both positive add up to -0 in this mode.
    const minus = v128.and(f64x2.eq(sum, zero), v128.and(v128.or(a, b), signs()));
    return v128.or(i64x2.add(sum, step), minus);
  }
  if (mode == UP) {
    return i64x2.add(sum, v128.and(f64x2.gt(error, zero), v128.or(negative, ones)));
  }
  const opposite = isNegative(v128.xor(error, sum));
  return i64x2.add(sum, v128.and(f64x2.ne(error, zero), opposite));
}

/** a - b rounded by `mode`. @inline */
export function subtract(a: v128, b: v128, mode: u32): v128 {
  return add(a, v128.xor(b, signs()), mode);
}

/**
 * Moves a positive result by the sign of exact value minus result, which `error` has too. Where the operand is finite
 * an infinite result is an overflow: it stays when rounding up and is the largest finite number otherwise.
 */
function adjust(result: v128, error: v128, operand: v128, mode: u32): v128 {
  const zero = f64x2.splat(0);
  const overflow = isInfinite(result);
  if (mode == UP) {
    return i64x2.sub(result, v128.andnot(f64x2.gt(error, zero), overflow));
  }
  const down = v128.or(f64x2.lt(error, zero), overflow);
  return i64x2.add(result, v128.andnot(down, isInfinite(operand)));
}

/**
 * e × a rounded by `mode`; e positive, a given as it is and as `normalize` and `upperHalf` of that and the rest make it.
 */
export function multiply(e: v128, a: v128, an: v128, ah: v128, al: v128, mode: u32): v128 {
  const result = f64x2.mul(e, a);
  if (mode == NEAREST) return result;
  // Fractions alone decide about rounding; without exponents nothing overflows on the way.
  const en = normalize(e);
  const eh = upperHalf(en);
  const error = productError(eh, f64x2.sub(en, eh), ah, al, f64x2.mul(en, an));
  return adjust(result, error, e, mode);
}

/** e ÷ d rounded by `mode`; both positive. */
export function divide(e: v128, d: v128, mode: u32): v128 {
  const result = f64x2.div(e, d);
  if (mode == NEAREST) return result;
  const en = normalize(e);
  const dn = normalize(d);
  const quotient = f64x2.div(en, dn);
  const qh = upperHalf(quotient);
  const dh = upperHalf(dn);
  const product = f64x2.mul(quotient, dn);
  const low = productError(qh, f64x2.sub(quotient, qh), dh, f64x2.sub(dn, dh), product);
  const remainder = f64x2.sub(f64x2.sub(en, product), low);
  return adjust(result, remainder, e, mode);
}

/** The root of e, positive, rounded by `mode`. */
export function squareRoot(e: v128, mode: u32): v128 {
  const result = f64x2.sqrt(e);
  if (mode == NEAREST) return result;
  // An exponent near 0 of the same parity has a root with the same fraction, and no square that overflows.
  const scaled = v128.or(
    v128.and(e, i64x2.splat(0x001fffffffffffff)),
    i64x2.splat(0x3fe0000000000000),
  );
  const root = f64x2.sqrt(scaled);
  const high = upperHalf(root);
  const low = f64x2.sub(root, high);
  const square = f64x2.mul(root, root);
  const error = productError(high, low, high, low, square);
  const remainder = f64x2.sub(f64x2.sub(scaled, square), error);
  return adjust(result, remainder, e, mode);
}
