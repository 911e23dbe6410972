/** Candidates for square roots, two at a time; see field-power.ts. */

import { multiplyPairs } from './pair-multiply.ts';
import { squarePairs } from './pair-square.ts';

const A: usize = memory.data(192, 16);
const B: usize = memory.data(192, 16);
const C: usize = memory.data(192, 16);
const D: usize = memory.data(192, 16);
const E: usize = memory.data(192, 16);

function squarePairsTimes(r: usize, a: usize, times: i32): void {
  squarePairs(r, a);
  for (let i = 1; i < times; i++) squarePairs(r, r);
}

/** r = z^((p-5)/8), with the exponents of powPMinus5Over8 in field-power.ts. */
function powPMinus5Over8(r: usize, z: usize): void {
  squarePairs(A, z); // 2
  squarePairsTimes(B, A, 2); // 8
  multiplyPairs(B, z, B); // 9
  multiplyPairs(A, A, B); // 11
  squarePairs(A, A); // 22
  multiplyPairs(A, B, A); // 31 = 2^5 - 1
  squarePairsTimes(B, A, 5);
  multiplyPairs(A, B, A); // 2^10 - 1
  squarePairsTimes(B, A, 10);
  multiplyPairs(B, B, A); // 2^20 - 1
  squarePairsTimes(C, B, 20);
  multiplyPairs(B, C, B); // 2^40 - 1
  squarePairsTimes(B, B, 10);
  multiplyPairs(A, B, A); // 2^50 - 1
  squarePairsTimes(B, A, 50);
  multiplyPairs(B, B, A); // 2^100 - 1
  squarePairsTimes(C, B, 100);
  multiplyPairs(B, C, B); // 2^200 - 1
  squarePairsTimes(B, B, 50);
  multiplyPairs(A, B, A); // 2^250 - 1
  squarePairsTimes(A, A, 2); // 2^252 - 4
  multiplyPairs(r, A, z);
}

/** r = u·v³·(u·v⁷)^((p-5)/8), for u and v of up to three units; r differs from both. */
export function rootCandidatePair(r: usize, u: usize, v: usize): void {
  squarePairs(D, v);
  multiplyPairs(D, D, v); // v³
  squarePairs(E, D);
  multiplyPairs(E, E, v); // v⁷
  multiplyPairs(E, E, u);
  powPMinus5Over8(E, E);
  multiplyPairs(E, E, D);
  multiplyPairs(r, E, u);
}
