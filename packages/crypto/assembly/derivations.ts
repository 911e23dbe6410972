/**
 * A module of its own that computes derivations on vectors, two at a time, for engines that have them (see pair-multiply.ts);
 * elsewhere ownership.ts computes them. The secret takes part in arithmetic whose time depends on it.
 */

import { add, setSmall } from './field.ts';
import { invertAll, setUpPowers } from './field-power.ts';
import { FIELD_SIZE } from './limbs.ts';
import { allocate, input } from './memory.ts';
import { fieldFromPair, pairFromField, setSmallPair, setUpPairs } from './pair-limbs.ts';
import {
  addCachedPair,
  doublePair,
  PAIR_T,
  PAIR_X,
  PAIR_Y,
  PAIR_Z,
  POINT_PAIR_SIZE,
  setIdentityPair,
  toCachedPair,
  toExtendedPair,
  toProjectivePair,
} from './pair-point.ts';
import { rootCandidatePair } from './pair-power.ts';
import { CURVE_D, POINT_SIZE, setIdentity, setUpCurve, T, X, Y, Z } from './point.ts';
import { beginDecoding, encodeWithInverse, finishDecoding } from './point-codec.ts';

export { input };

/** Most points that one call takes, an even number; they share an inversion. */
export const MAX_ITEMS: i32 = 256;

/** Odd multiples P … 15P of two points. */
const TABLE_ENTRIES: usize = 8;

let points: usize = 0;
let products: usize = 0;
let table: usize = 0;

const TWO_D: usize = memory.data(192, 16);
const FIELD: usize = memory.data(72, 16);

function setBoth(r: usize, a: usize): void {
  pairFromField(r, 0, a);
  pairFromField(r, 1, a);
}

/** Computes constants and reserves memory. Must be called once, before anything else. */
export function setUp(): void {
  setUpPowers();
  setUpCurve();
  setUpPairs();
  add(FIELD, CURVE_D, CURVE_D);
  setBoth(TWO_D, FIELD);
  points = allocate(<usize>MAX_ITEMS * POINT_SIZE);
  products = allocate(<usize>MAX_ITEMS * FIELD_SIZE);
  table = allocate(TABLE_ENTRIES * POINT_PAIR_SIZE);
}

/** Signed odd digits of the secret, below 16, one for each bit. */
const DIGITS: usize = memory.data(256, 16);
const SECRET: usize = memory.data(40, 16);

/** Cuts a scalar below l into windows of five bits (Möller's wNAF); answers the place of the highest, -1 without one. */
function cutIntoDigits(secret: usize): i32 {
  memory.fill(DIGITS, 0, 256);
  memory.copy(SECRET, secret, 32);
  let highest = -1;
  let carry: u32 = 0;
  let i = 0;
  while (i < 256) {
    const digit = <i32>(((<u32>(load<u64>(SECRET + <usize>(i >> 3)) >> (i & 7))) & 31) + carry);
    if ((digit & 1) == 0) {
      i++;
      continue;
    }
    carry = u32(digit >= 16);
    store<i8>(DIGITS + <usize>i, <i8>(carry ? digit - 32 : digit));
    highest = i;
    i += 5;
  }
  return highest;
}

const U: usize = memory.data(144, 16);
const V: usize = memory.data(144, 16);
const PAIR_OF_U: usize = memory.data(192, 16);
const PAIR_OF_V: usize = memory.data(192, 16);
const ROOTS: usize = memory.data(192, 16);

function pointAt(i: i32): usize {
  return points + <usize>i * POINT_SIZE;
}

/** Decodes the points of two encodings to places i and i + 1; the identity takes the place of an invalid one. Answers bits 0 and 1. */
function decodePair(i: i32, first: usize, second: usize): u32 {
  let valid: u32 = 0;
  for (let lane: usize = 0; lane < 2; lane++) {
    const u = U + lane * FIELD_SIZE;
    const v = V + lane * FIELD_SIZE;
    const encoded = lane == 0 ? first : second;
    if (beginDecoding(pointAt(i + <i32>lane), encoded, u, v)) {
      valid |= 1 << (<u32>lane);
    } else {
      setSmall(u, 1);
      setSmall(v, 1);
    }
    pairFromField(PAIR_OF_U, lane, u);
    pairFromField(PAIR_OF_V, lane, v);
  }
  rootCandidatePair(ROOTS, PAIR_OF_U, PAIR_OF_V);
  for (let lane: usize = 0; lane < 2; lane++) {
    const bit: u32 = 1 << (<u32>lane);
    const point = pointAt(i + <i32>lane);
    const encoded = lane == 0 ? first : second;
    fieldFromPair(point + X, ROOTS, lane);
    if (
      valid & bit &&
      !finishDecoding(point, encoded, U + lane * FIELD_SIZE, V + lane * FIELD_SIZE)
    ) {
      valid ^= bit;
    }
    if (!(valid & bit)) setIdentity(point);
  }
  return valid;
}

const BOTH: usize = memory.data(768, 16);
const DOUBLED: usize = memory.data(768, 16);
const MULTIPLE: usize = memory.data(768, 16);

/** Fills the table with cached odd multiples of two points with Z = 1. */
function fillTable(p: usize, q: usize): void {
  for (let lane: usize = 0; lane < 2; lane++) {
    const point = lane == 0 ? p : q;
    pairFromField(BOTH + PAIR_X, lane, point + X);
    pairFromField(BOTH + PAIR_Y, lane, point + Y);
    pairFromField(BOTH + PAIR_T, lane, point + T);
  }
  setSmallPair(BOTH + PAIR_Z, 1);
  doublePair(BOTH);
  toExtendedPair(DOUBLED);
  toCachedPair(table, BOTH, TWO_D);
  for (let i: usize = 1; i < TABLE_ENTRIES; i++) {
    const entry = table + i * POINT_PAIR_SIZE;
    addCachedPair(DOUBLED, entry - POINT_PAIR_SIZE, false);
    toExtendedPair(MULTIPLE);
    toCachedPair(entry, MULTIPLE, TWO_D);
  }
}

/** BOTH = 8·secret·P for the two points of the table, projective. */
function multiplyTable(highest: i32): void {
  setIdentityPair(BOTH);
  for (let i = highest; i >= 0; i--) {
    const digit = <i32>load<i8>(DIGITS + <usize>i);
    if (i != highest) doublePair(BOTH);
    if (digit != 0) {
      if (i != highest) toExtendedPair(BOTH);
      addCachedPair(BOTH, table + <usize>(abs(digit) >> 1) * POINT_PAIR_SIZE, digit < 0);
    }
    toProjectivePair(BOTH);
  }
  for (let i = 0; i < 3; i++) {
    doublePair(BOTH);
    toProjectivePair(BOTH);
  }
}

/** Replaces points of 32 bytes by 8·secret·P for a secret below l; a byte of `answers` becomes 1, or 0 where there is none. */
export function keyDerivations(secret: usize, items: usize, answers: usize, count: i32): void {
  const highest = cutIntoDigits(secret);
  for (let i = 0; i < count; i += 2) {
    const other = min(i + 1, count - 1);
    const valid = decodePair(i, items + 32 * <usize>i, items + 32 * <usize>other);
    store<u8>(answers + <usize>i, <u8>(valid & 1));
    if (other > i) store<u8>(answers + <usize>other, <u8>(valid >> 1));
    fillTable(pointAt(i), pointAt(i + 1));
    multiplyTable(highest);
    for (let lane: usize = 0; lane < 2; lane++) {
      const point = pointAt(i + <i32>lane);
      fieldFromPair(point + X, BOTH + PAIR_X, lane);
      fieldFromPair(point + Y, BOTH + PAIR_Y, lane);
      fieldFromPair(point + Z, BOTH + PAIR_Z, lane);
    }
  }
  memory.fill(DIGITS, 0, 256);
  memory.fill(SECRET, 0, 32);
  invertAll(points + Z, POINT_SIZE, count, products);
  for (let i = 0; i < count; i++) {
    encodeWithInverse(items + 32 * <usize>i, pointAt(i), pointAt(i) + Z);
  }
}
