/** The arithmetic underneath, for tests: exports of a module of its own, which is not published. */

import { add, fromBytes, isOdd, isZero, negate, subtract, toBytes } from './field.ts';
import { multiply, square } from './field-multiply.ts';
import { multiplyPacked } from './field-multiply-packed.ts';
import { invert, rootCandidate } from './field-power.ts';
import { setUp } from './index.ts';
import { input } from './memory.ts';
import * as scalar from './scalar.ts';

export {
  add as fieldAdd,
  fromBytes as fieldFromBytes,
  input,
  invert as fieldInvert,
  isOdd as fieldIsOdd,
  isZero as fieldIsZero,
  multiply as fieldMultiply,
  multiplyPacked as fieldMultiplyPacked,
  negate as fieldNegate,
  rootCandidate as fieldRootCandidate,
  setUp,
  square as fieldSquare,
  subtract as fieldSubtract,
  toBytes as fieldToBytes,
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
