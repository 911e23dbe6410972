/**
 * Sums of scalar·P over up to thousands of points: Pippenger's buckets for points that come once, tables for the
 * fixed generators.
 */

import { add, carry, setSmall, subtract } from './field.ts';
import { multiply } from './field-multiply.ts';
import { allocate } from './memory.ts';
import {
  addCached,
  addPacked,
  double,
  negatePoint,
  PACKED_DIFFERENCE,
  PACKED_POINT_SIZE,
  PACKED_SUM,
  POINT_SIZE,
  setIdentity,
  subtractPacked,
  T,
  toCached,
  toExtended,
  toProjective,
  X,
  Y,
  Z,
} from './point.ts';
import { SCALAR_SIZE } from './scalar.ts';
import { addWords } from './scalar-words.ts';
import { addSmallTerm } from './combination.ts';
import { fillSmallTable, SMALL_TABLE_SIZE } from './tables.ts';

/** Most points of one sum. */
const MAX_POINTS: i32 = 12288;
/** Up to this many points small tables are cheaper than buckets. */
const MAX_SMALL: i32 = 64;
/** Widest window: 2^10 buckets. */
const MAX_WINDOW: i32 = 11;
const SCALAR_BITS: i32 = 253;

let points: usize = 0; // packed
let scalars: usize = 0;
let buckets: usize = 0;
let used: usize = 0; // one byte per bucket: whether it holds anything
let smallTables: usize = 0;
let count: i32 = 0;
let scalarCount: i32 = 0;

/** Reserves the lists, buckets and tables. */
export function setUpMultiExponentiation(): void {
  points = allocate(<usize>MAX_POINTS * PACKED_POINT_SIZE);
  scalars = allocate(<usize>MAX_POINTS * SCALAR_SIZE + 8); // digits are read 64 bits at a time
  buckets = allocate(((<usize>1) << (MAX_WINDOW - 1)) * POINT_SIZE);
  used = allocate((<usize>1) << (MAX_WINDOW - 1));
  smallTables = allocate(<usize>MAX_SMALL * SMALL_TABLE_SIZE);
}

/** Starts a new sum. */
export function clear(): void {
  count = 0;
  scalarCount = 0;
}

/** Takes the place for one more packed point, which the caller fills in; traps when there are too many. */
export function nextPoint(): usize {
  if (count >= MAX_POINTS) unreachable();
  const place = points + <usize>count * PACKED_POINT_SIZE;
  count++;
  return place;
}

/** Takes the place for the next scalar. They come in the order of the points. */
export function nextScalar(): usize {
  return scalarOf(scalarCount++);
}

function scalarOf(index: i32): usize {
  return scalars + <usize>index * SCALAR_SIZE;
}

/** True if the points can go into a combination (combination.ts) at less cost than into buckets. */
export function isSmall(): bool {
  return count <= MAX_SMALL;
}

const UNPACKED: usize = memory.data(288, 16);

function loadPacked(r: usize, packed: usize): void {
  for (let i: usize = 0; i < 9; i++) store<i64>(r + 8 * i, <i64>load<i32>(packed + 4 * i));
}

/** r = a packed point, extended with Z = 1. */
function unpack(r: usize, packed: usize): void {
  loadPacked(r + Z, packed + PACKED_SUM);
  loadPacked(r + T, packed + PACKED_DIFFERENCE);
  subtract(r + X, r + Z, r + T);
  add(r + Y, r + Z, r + T);
  carry(r + X, r + X);
  carry(r + Y, r + Y);
  multiply(r + T, r + X, r + Y);
  setSmall(r + Z, 1);
}

/** Adds all terms to the current combination; only if isSmall(). */
export function addToCombination(): void {
  for (let i = 0; i < count; i++) {
    const table = smallTables + <usize>i * SMALL_TABLE_SIZE;
    unpack(UNPACKED, points + <usize>i * PACKED_POINT_SIZE);
    fillSmallTable(table, UNPACKED);
    addSmallTerm(scalarOf(i), table);
  }
}

/** Returns the window width with the fewest additions: in each window, one per point and two per bucket. */
function bestWindow(): i32 {
  let best = 3;
  let least = i32.MAX_VALUE;
  for (let width = 3; width <= MAX_WINDOW; width++) {
    const cost = (SCALAR_BITS / width + 1) * (count + (2 << (width - 1)));
    if (cost < least) {
      least = cost;
      best = width;
    }
  }
  return best;
}

const OFFSET: usize = memory.data(32, 16);

/**
 * Adds 2^(width-1) at every window but the last to all scalars. A window of the sum, less 2^(width-1), is then a
 * signed digit, without carries from window to window. The scalars stay below 2^255.
 */
function offsetScalars(width: i32, windows: i32): void {
  memory.fill(OFFSET, 0, 32);
  for (let w = 0; w < windows - 1; w++) {
    const bit = w * width + width - 1;
    const at = OFFSET + <usize>(bit >> 3);
    store<u8>(at, load<u8>(at) | ((<u8>1) << ((<u8>bit) & 7)));
  }
  for (let i = 0; i < count; i++) {
    const s = scalarOf(i);
    addWords(s, load<u64>(s, 0), load<u64>(s, 8), load<u64>(s, 16), load<u64>(s, 24), OFFSET);
  }
}

const SUMMAND: usize = memory.data(288, 16);

function addToBucket(index: usize, packed: usize, negative: bool): void {
  const bucket = buckets + index * POINT_SIZE;
  if (load<u8>(used + index)) {
    if (negative) subtractPacked(bucket, packed);
    else addPacked(bucket, packed);
    toExtended(bucket);
    return;
  }
  store<u8>(used + index, 1);
  unpack(bucket, packed);
  if (negative) negatePoint(bucket);
}

/** Puts every point into the bucket of its digit in one window. */
function fillBuckets(width: i32, window: i32, isLast: bool): void {
  const start = window * width;
  const mask: u64 = ((<u64>1) << (isLast ? 256 - start : width)) - 1;
  const half: i32 = isLast ? 0 : 1 << (width - 1);
  memory.fill(used, 0, (<usize>1) << (width - 1));
  for (let i = 0; i < count; i++) {
    const bits = load<u64>(scalarOf(i) + <usize>(start >> 3)) >> ((<u64>start) & 7);
    const digit = <i32>(bits & mask) - half;
    if (digit == 0) continue;
    const packed = points + <usize>i * PACKED_POINT_SIZE;
    addToBucket(<usize>(abs(digit) - 1), packed, digit < 0);
  }
}

const RUNNING: usize = memory.data(288, 16);
const SUM: usize = memory.data(288, 16);

/** SUM = the sum of k·(bucket of digit k), by sums of sums from the highest digit down. */
function sumBuckets(width: i32): void {
  setIdentity(RUNNING);
  setIdentity(SUM);
  let started = false;
  for (let i = (1 << (width - 1)) - 1; i >= 0; i--) {
    if (load<u8>(used + <usize>i)) {
      toCached(SUMMAND, buckets + <usize>i * POINT_SIZE);
      addCached(RUNNING, SUMMAND);
      toExtended(RUNNING);
      started = true;
    }
    if (started) {
      toCached(SUMMAND, RUNNING);
      addCached(SUM, SUMMAND);
      toExtended(SUM);
    }
  }
}

/** r = the sum of all terms, extended. The scalars are used up. */
export function sumWithBuckets(r: usize): void {
  const width = bestWindow();
  const windows = SCALAR_BITS / width + 1;
  offsetScalars(width, windows);
  setIdentity(r);
  for (let w = windows - 1; w >= 0; w--) {
    for (let i = 0; i < width; i++) {
      double(r);
      if (i < width - 1) toProjective(r);
      else toExtended(r);
    }
    fillBuckets(width, w, w == windows - 1);
    sumBuckets(width);
    toCached(SUMMAND, SUM);
    addCached(r, SUMMAND);
    toExtended(r);
  }
}
