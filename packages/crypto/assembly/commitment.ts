/** Pedersen commitments to public amounts, and sums of commitments. */

import { addPackedTerm, begin, evaluate } from './combination.ts';
import { G, GENERATOR_WIDTH, tableOfH } from './generators.ts';
import { addPoints, setIdentity } from './point.ts';
import { decodePoint, encodePoint, isSamePoint } from './point-codec.ts';
import { setSmall } from './scalar.ts';

const AMOUNT: usize = memory.data(32, 16);
const POINT: usize = memory.data(288, 16);
const INPUTS: usize = memory.data(288, 16);
const OUTPUTS: usize = memory.data(288, 16);

/** r = amount·H, extended. */
export function multiplyH(r: usize, amount: u64): void {
  setSmall(AMOUNT, amount);
  begin();
  addPackedTerm(AMOUNT, tableOfH(), GENERATOR_WIDTH);
  evaluate(r, true);
}

/** Writes the encoding of G + amount·H. */
export function commitToAmount(bytes: usize, amount: u64): void {
  multiplyH(POINT, amount);
  addPoints(POINT, G, POINT);
  encodePoint(bytes, POINT);
}

/** r = r + the points of `count` encodings; false if one does not decode. */
function addAll(r: usize, bytes: usize, count: i32): bool {
  for (let i = 0; i < count; i++) {
    if (!decodePoint(POINT, bytes + 32 * <usize>i)) return false;
    addPoints(r, r, POINT);
  }
  return true;
}

/** True if the sum of the inputs is that of the outputs, which follow them in memory, plus fee·H. */
export function verifyBalance(bytes: usize, inputs: i32, outputs: i32, fee: u64): bool {
  setIdentity(INPUTS);
  if (!addAll(INPUTS, bytes, inputs)) return false;
  multiplyH(OUTPUTS, fee);
  if (!addAll(OUTPUTS, bytes + 32 * <usize>inputs, outputs)) return false;
  return isSamePoint(INPUTS, OUTPUTS);
}
