/** The parts of the virtual machine, for specs. */

import { fingerprint1R, generate1R, generate4R, mixRegisters, setUpGenerators } from './aes.ts';
import { reciprocal } from './decode.ts';
import { add, divide, multiply, normalize, squareRoot, subtract, upperHalf } from './rounding.ts';

export {
  fingerprint1R,
  generate1R,
  generate4R,
  mixRegisters,
  reciprocal,
  setUpGenerators as setUp,
};

/** The address of a data area of 1 KiB. */
export function data(): usize {
  return DATA;
}
const DATA: usize = memory.data(1024, 64);

/** Replaces the pair at `at` by the result with the pair behind it. */
export function addPairs(at: usize, mode: u32): void {
  v128.store(at, add(v128.load(at), v128.load(at, 16), mode));
}

export function subtractPairs(at: usize, mode: u32): void {
  v128.store(at, subtract(v128.load(at), v128.load(at, 16), mode));
}

export function multiplyPairs(at: usize, mode: u32): void {
  const a = v128.load(at, 16);
  const fraction = normalize(a);
  const upper = upperHalf(fraction);
  const lower = f64x2.sub(fraction, upper);
  v128.store(at, multiply(v128.load(at), a, fraction, upper, lower, mode));
}

export function dividePairs(at: usize, mode: u32): void {
  v128.store(at, divide(v128.load(at), v128.load(at, 16), mode));
}

export function rootPair(at: usize, mode: u32): void {
  v128.store(at, squareRoot(v128.load(at), mode));
}
