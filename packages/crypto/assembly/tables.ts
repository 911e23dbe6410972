/** Tables of odd multiples P, 3P, 5P, … that signed-window multiplication adds from. */

import { add, setSmall, subtract } from './field.ts';
import { multiply } from './field-multiply.ts';
import { invert, invertAll } from './field-power.ts';
import { FIELD_SIZE } from './limbs.ts';
import { allocate } from './memory.ts';
import {
  addCached,
  copyPoint,
  CURVE_D,
  double,
  PACKED_DIFFERENCE,
  PACKED_POINT_SIZE,
  PACKED_PRODUCT,
  PACKED_SUM,
  POINT_SIZE,
  toCached,
  toExtended,
  X,
  Y,
  Z,
} from './point.ts';

/** Window width of the tables made for points that are used once. */
export const SMALL_WIDTH: i32 = 5;
/** Bytes of a small table: eight cached points. */
export const SMALL_TABLE_SIZE: usize = 8 * POINT_SIZE;

const DOUBLED: usize = memory.data(288, 16);
const MULTIPLE: usize = memory.data(288, 16);

/** Fills a small table with cached odd multiples of an extended point. */
export function fillSmallTable(table: usize, p: usize): void {
  double(p);
  toExtended(DOUBLED);
  toCached(table, p);
  for (let i: usize = POINT_SIZE; i < SMALL_TABLE_SIZE; i += POINT_SIZE) {
    addCached(DOUBLED, table + i - POINT_SIZE);
    toExtended(MULTIPLE);
    toCached(table + i, MULTIPLE);
  }
}

const ONE_HALF: usize = memory.data(72, 16);
const FOUR_D: usize = memory.data(72, 16);

const HALF_X: usize = memory.data(72, 16);
const HALF_Y: usize = memory.data(72, 16);
const PACKING: usize = memory.data(72, 16);

/** Stores an element of at most two units in i32 limbs. */
function packElement(r: usize, a: usize): void {
  for (let i: usize = 0; i < 9; i++) store<i32>(r + 4 * i, <i32>load<i64>(a + 8 * i));
}

/** r = the packed form of the point with x = X·inverseOfZ and y = Y·inverseOfZ. */
export function packWithInverse(r: usize, p: usize, inverseOfZ: usize): void {
  multiply(PACKING, inverseOfZ, ONE_HALF);
  multiply(HALF_X, p + X, PACKING);
  multiply(HALF_Y, p + Y, PACKING);
  add(PACKING, HALF_Y, HALF_X);
  packElement(r + PACKED_SUM, PACKING);
  subtract(PACKING, HALF_Y, HALF_X);
  packElement(r + PACKED_DIFFERENCE, PACKING);
  multiply(PACKING, HALF_X, HALF_Y);
  multiply(PACKING, PACKING, FOUR_D);
  packElement(r + PACKED_PRODUCT, PACKING);
}

/** Most entries of a packed table: windows of 12 bits. */
const MAX_ENTRIES: i32 = 1024;

/** Scratch for the multiples that go into a table, and for inverting their Z. */
let multiples: usize = 0;
let products: usize = 0;

/** Computes constants and reserves scratch; after setUpCurve. */
export function setUpTables(): void {
  setSmall(ONE_HALF, 2);
  invert(ONE_HALF, ONE_HALF);
  add(FOUR_D, CURVE_D, CURVE_D);
  add(FOUR_D, FOUR_D, FOUR_D);
  multiples = allocate(<usize>MAX_ENTRIES * POINT_SIZE);
  products = allocate(<usize>MAX_ENTRIES * FIELD_SIZE);
}

/** Bytes of a packed table for windows of `width` bits: odd digits of magnitude below 2^(width-1). */
export function packedTableSize(width: i32): usize {
  return PACKED_POINT_SIZE << (<usize>width - 2);
}

/** Fills a table for windows of `width` bits, at most 12, with packed odd multiples of an extended point. */
export function fillPackedTable(table: usize, p: usize, width: i32): void {
  const entries = 1 << (width - 2);
  double(p);
  toExtended(MULTIPLE);
  toCached(DOUBLED, MULTIPLE);
  copyPoint(multiples, p);
  for (let i = 1; i < entries; i++) {
    const at = multiples + <usize>i * POINT_SIZE;
    addCached(at - POINT_SIZE, DOUBLED);
    toExtended(at);
  }
  packAll(table, multiples, entries, products);
}

/** Packs `count` points, projective or extended, which lose their Z; `scratch` holds as many field elements. */
export function packAll(packed: usize, points: usize, count: i32, scratch: usize): void {
  invertAll(points + Z, POINT_SIZE, count, scratch);
  for (let i = 0; i < count; i++) {
    const point = points + <usize>i * POINT_SIZE;
    packWithInverse(packed + <usize>i * PACKED_POINT_SIZE, point, point + Z);
  }
}

/** r = the packed form of a point with Z = 1. */
export function packAffine(r: usize, p: usize): void {
  packWithInverse(r, p, p + Z);
}
