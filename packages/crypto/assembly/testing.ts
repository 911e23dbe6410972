/** The arithmetic below the verifiers, for tests. It is a module of its own, which is not published. */

import { clsagSize, lastChallenge, verifyClsag } from './clsag.ts';
import { addSlidTerm, begin, evaluate } from './combination.ts';
import { add, carry, fromBytes, isOdd, isZero, negate, subtract, toBytes } from './field.ts';
import { multiply, square } from './field-multiply.ts';
import { multiplyPacked } from './field-multiply-packed.ts';
import { invert, rootCandidate } from './field-power.ts';
import { tableOfG } from './generators.ts';
import { pointFromFieldBytes } from './hash-to-point.ts';
import { setUp } from './index.ts';
import { input } from './memory.ts';
import {
  addToCombination,
  clear,
  nextPoint,
  nextScalar,
  sumWithBuckets,
} from './multi-exponentiation.ts';
import { decodePoint, encodePoint } from './point-codec.ts';
import * as scalar from './scalar.ts';
import { packAffine } from './tables.ts';

export {
  clsagSize,
  add as fieldAdd,
  carry as fieldCarry,
  fromBytes as fieldFromBytes,
  input,
  invert as fieldInvert,
  isOdd as fieldIsOdd,
  isZero as fieldIsZero,
  lastChallenge,
  multiply as fieldMultiply,
  multiplyPacked as fieldMultiplyPacked,
  negate as fieldNegate,
  rootCandidate as fieldRootCandidate,
  setUp,
  square as fieldSquare,
  subtract as fieldSubtract,
  toBytes as fieldToBytes,
  verifyClsag,
};

export function scalarMultiply(r: usize, a: usize, b: usize): void {
  scalar.multiply(r, a, b);
}

export function scalarAdd(r: usize, a: usize, b: usize): void {
  scalar.add(r, a, b);
}

export function scalarSubtract(r: usize, a: usize, b: usize): void {
  scalar.subtract(r, a, b);
}

export function scalarNegate(r: usize, a: usize): void {
  scalar.negate(r, a);
}

export function scalarReduce(r: usize, a: usize): void {
  scalar.reduce(r, a);
}

export function scalarInvert(r: usize, a: usize): void {
  scalar.invert(r, a);
}

export function scalarInvertAll(r: usize, a: usize, count: i32): void {
  scalar.invertAll(r, a, count);
}

export function scalarIsCanonical(a: usize): bool {
  return scalar.isCanonical(a);
}

const POINT: usize = memory.data(288, 16);

/** Writes the encoding of the point that 32 bytes map to, before the multiplication by 8. */
export function mapToPoint(out: usize, bytes: usize): void {
  pointFromFieldBytes(POINT, bytes);
  encodePoint(out, POINT);
}

/**
 * Writes the encoding of the sum of scalar·P over `count` pairs of 64 bytes, computed with buckets or with small tables
 * (then at most 64 pairs). Scalars count as integers below l; false if a point does not decode.
 */
export function sumOfProducts(out: usize, pairs: usize, count: i32, withBuckets: bool): bool {
  clear();
  for (let i = 0; i < count; i++) {
    const pair = pairs + 64 * <usize>i;
    if (!decodePoint(POINT, pair + 32)) return false;
    scalar.copy(nextScalar(), pair);
    packAffine(nextPoint(), POINT);
  }
  if (withBuckets) {
    sumWithBuckets(POINT);
  } else {
    begin();
    addToCombination();
    evaluate(POINT);
  }
  encodePoint(out, POINT);
  return true;
}

/** Writes the encoding of scalar·G for 256 bits that count as upstream's recoding has them. */
export function slidProduct(out: usize, bytes: usize): void {
  begin();
  addSlidTerm(bytes, tableOfG());
  evaluate(POINT);
  encodePoint(out, POINT);
}
