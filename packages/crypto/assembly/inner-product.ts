/** Scalars that come out of the rounds of an inner-product argument. */

import { add, copy, multiply, square } from './scalar.ts';

const POWER: usize = memory.data(32, 16);
const FACTOR: usize = memory.data(32, 16);

/** r = base + base² + … + base^(2^log). */
export function sumOfPowers(r: usize, base: usize, log: i32): void {
  copy(r, base);
  copy(POWER, base); // base^(2^i), while r ends at that power
  for (let i = 0; i < log; i++) {
    multiply(FACTOR, r, POWER);
    add(r, r, FACTOR);
    square(POWER, POWER);
  }
}

/** r = `first` times all challenges of the rounds. */
function multiplyAll(r: usize, first: usize, challenges: usize, rounds: i32): void {
  copy(r, first);
  for (let j = 0; j < rounds; j++) multiply(r, r, challenges + 32 * <usize>j);
}

/**
 * r_i = first · base^i · the product of w_j^±1 over the rounds, for i below 2^rounds: w_j where bit rounds - 1 - j of i
 * is set, else its inverse. `base` 0 stands for 1. One product an element: from i to i + 2^b, for i below 2^b, the
 * inverse of a challenge turns into the challenge.
 */
export function fillProducts(
  r: usize,
  first: usize,
  challenges: usize,
  inverses: usize,
  rounds: i32,
  base: usize,
): void {
  multiplyAll(r, first, inverses, rounds);
  if (base != 0) copy(POWER, base);
  for (let b = 0; b < rounds; b++) {
    square(FACTOR, challenges + 32 * <usize>(rounds - 1 - b));
    if (base != 0) {
      multiply(FACTOR, FACTOR, POWER);
      square(POWER, POWER);
    }
    const half = (<usize>32) << b;
    for (let at: usize = 0; at < half; at += 32) multiply(r + half + at, r + at, FACTOR);
  }
}
