/** Monero's hash to a point: Keccak, then a map into the curve through Curve25519, then times 8. */

import { add, copy, fromBytes, isOdd, isZero, negate, setSmall, subtract } from './field.ts';
import { multiply, square } from './field-multiply.ts';
import { rootCandidate, SQRT_MINUS_ONE, squareRoot } from './field-power.ts';
import { keccak256 } from '../../keccak/assembly/keccak.ts';
import { multiplyByCofactor, X, Y, Z } from './point.ts';

/** The coefficient of Curve25519, y² = x³ + A·x² + x. */
const COEFFICIENT: i64 = 486662;

const ONE: usize = memory.data(72, 16);
const MINUS_A: usize = memory.data(72, 16);
const MINUS_A_SQUARED: usize = memory.data(72, 16);

// X is the square root of one of four numbers; these take the candidate root there. The names tell which multiple
// of w the square of the candidate times the denominator turned out to be; i is √-1.
const ROOT_FOR_W: usize = memory.data(72, 16);
const ROOT_FOR_MINUS_W: usize = memory.data(72, 16);
const ROOT_FOR_I_W: usize = memory.data(72, 16);
const ROOT_FOR_MINUS_I_W: usize = memory.data(72, 16);

const U: usize = memory.data(72, 16);
const V: usize = memory.data(72, 16);
const W: usize = memory.data(72, 16);
const DENOMINATOR: usize = memory.data(72, 16);
const SQUARE: usize = memory.data(72, 16);
const ROOT: usize = memory.data(72, 16);
const NUMERATOR: usize = memory.data(72, 16);
const CHECK: usize = memory.data(72, 16);

/** Computes the constants, among them √(±2A(A+2)) and √(±iA(A+2)). Which of two roots does not matter. */
export function setUpHashToPoint(): void {
  setSmall(ONE, 1);
  setSmall(MINUS_A, -COEFFICIENT);
  square(MINUS_A_SQUARED, MINUS_A);
  setSmall(U, COEFFICIENT + 2);
  multiply(U, U, MINUS_A); // -A(A+2)
  negate(V, U);
  multiply(W, V, SQRT_MINUS_ONE);
  squareRoot(ROOT_FOR_I_W, W);
  negate(W, W);
  squareRoot(ROOT_FOR_MINUS_I_W, W);
  add(V, V, V);
  squareRoot(ROOT_FOR_W, V);
  add(U, U, U);
  squareRoot(ROOT_FOR_MINUS_W, U);
  negate(MINUS_A_SQUARED, MINUS_A_SQUARED);
}

/**
 * r = the point that 32 bytes map to (upstream `ge_fromfe_frombytes_vartime`), projective. All 256 bits count; the
 * integer is reduced modulo p. Every input has an image.
 */
export function pointFromFieldBytes(r: usize, bytes: usize): void {
  fromBytes(U, bytes);
  if (load<u8>(bytes, 31) & 0x80) store<i64>(U, load<i64>(U) + 19); // 2^255 = 19
  square(V, U);
  add(V, V, V); // v = 2u²
  add(W, V, ONE); // w = v + 1
  square(DENOMINATOR, W);
  multiply(CHECK, MINUS_A_SQUARED, V);
  add(DENOMINATOR, DENOMINATOR, CHECK); // w² - A²·v
  rootCandidate(ROOT, W, DENOMINATOR);
  square(SQUARE, ROOT);
  multiply(SQUARE, SQUARE, DENOMINATOR); // ±w or ±w/i

  let oddRoot = false;
  subtract(CHECK, W, SQUARE);
  const isW = isZero(CHECK);
  add(CHECK, W, SQUARE);
  if (isW || isZero(CHECK)) {
    multiply(ROOT, ROOT, isW ? ROOT_FOR_W : ROOT_FOR_MINUS_W);
    multiply(ROOT, ROOT, U);
    multiply(NUMERATOR, MINUS_A, V);
  } else {
    multiply(CHECK, SQUARE, SQRT_MINUS_ONE);
    subtract(CHECK, W, CHECK);
    multiply(ROOT, ROOT, isZero(CHECK) ? ROOT_FOR_I_W : ROOT_FOR_MINUS_I_W);
    copy(NUMERATOR, MINUS_A);
    oddRoot = true;
  }
  if (isOdd(ROOT) != oddRoot) negate(ROOT, ROOT);

  // y = (z - w)/(z + w), x = the root. W has three units: the products below bring Y and Z back to one.
  add(CHECK, NUMERATOR, W);
  subtract(SQUARE, NUMERATOR, W);
  multiply(r + X, ROOT, CHECK);
  multiply(r + Y, SQUARE, ONE);
  multiply(r + Z, CHECK, ONE);
}

const HASH: usize = memory.data(32, 16);

/** r = Hp of `length` bytes, extended: a point of the prime-order subgroup (upstream `hash_to_ec`). */
export function hashToPoint(r: usize, data: usize, length: usize): void {
  keccak256(HASH, data, length);
  hashToPointFrom(r, HASH);
}

/** r = Hp of the data with this Keccak-256 hash. */
export function hashToPointFrom(r: usize, hash: usize): void {
  pointFromFieldBytes(r, hash);
  multiplyByCofactor(r, r);
}
