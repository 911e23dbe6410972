/**
 * Linear combinations of a few points by interleaved signed windows (Straus; Möller's wNAF): every scalar is cut into
 * odd digits of its table's width, and all digits share one run of doublings.
 */

import { allocate } from './memory.ts';
import {
  addCached,
  addPacked,
  copyPoint,
  double,
  PACKED_POINT_SIZE,
  POINT_SIZE,
  setIdentity,
  subtractCached,
  subtractPacked,
  toExtended,
  toProjective,
} from './point.ts';
import { SMALL_WIDTH } from './tables.ts';

/** Bits of a scalar. Most are below l < 2^253, where a carry can set bit 253; see addSlidTerm for others. */
const POSITIONS: u32 = 256;
/** Most terms of one combination: the fixed generators and 64 points more. */
const MAX_TERMS: usize = 324;

// The points to add at each bit: the address of a table entry, a multiple of 4, plus flags.
const SUBTRACT: u32 = 1;
const IS_PACKED: u32 = 2;
const FLAGS: u32 = 3;

let steps: usize = 0; // POSITIONS lists of MAX_TERMS words
const COUNTS: usize = memory.data(1024, 16); // their lengths, 256 words

const ACCUMULATOR: usize = memory.data(288, 16);
/** A scalar and eight zero bytes, so that 64 bits can be read at any of its bytes. */
const SCALAR: usize = memory.data(40, 16);

/** Reserves the lists. */
export function setUpCombination(): void {
  steps = allocate(<usize>POSITIONS * MAX_TERMS * 4);
}

/** Starts a new combination, without terms. */
export function begin(): void {
  memory.fill(COUNTS, 0, POSITIONS * 4);
}

function addStep(position: u32, step: u32): void {
  const count = load<u32>(COUNTS + 4 * position);
  store<u32>(steps + (<usize>position * MAX_TERMS + count) * 4, step);
  store<u32>(COUNTS + 4 * position, count + 1);
}

function addTerm(scalar: usize, table: usize, width: u32, entrySize: u32, flags: u32): void {
  memory.copy(SCALAR, scalar, 32);
  const half: u32 = 1 << (width - 1);
  const mask: u32 = 2 * half - 1;
  let carry: u32 = 0;
  let i: u32 = 0;
  while (i < POSITIONS) {
    const bits = <u32>(load<u64>(SCALAR + (i >> 3)) >> (i & 7));
    let digit = (bits & mask) + carry;
    if ((digit & 1) == 0) {
      i++;
      continue;
    }
    // The upper half stands for the negative digit that is 2^width smaller, with a carry into the rest.
    carry = u32(digit >= half);
    if (carry) digit = 2 * half - digit;
    addStep(i, <u32>table + (digit >> 1) * entrySize + (flags | (carry ? SUBTRACT : 0)));
    i += width;
  }
}

/** Adds scalar·P for a table that fillPackedTable made for windows of `width` bits. */
export function addPackedTerm(scalar: usize, table: usize, width: u32): void {
  addTerm(scalar, table, width, <u32>PACKED_POINT_SIZE, IS_PACKED);
}

/** Adds scalar·P for a table that fillSmallTable made. */
export function addSmallTerm(scalar: usize, table: usize): void {
  addTerm(scalar, table, <u32>SMALL_WIDTH, <u32>POINT_SIZE, 0);
}

const DIGITS: usize = memory.data(256, 16);
/** The largest digit of upstream's windows, and the number of bits that a window looks ahead. */
const MAX_DIGIT: i32 = 15;
const REACH: i32 = 6;

/** Propagates a carry upwards from position `from`; past bit 255 it is dropped. */
function carryFrom(from: i32): void {
  for (let k = from; k < 256; k++) {
    if (load<i8>(DIGITS + k) == 0) {
      store<i8>(DIGITS + k, 1);
      return;
    }
    store<i8>(DIGITS + k, 0);
  }
}

/**
 * Cuts 256 bits into odd signed digits exactly as upstream does (`slide` of crypto-ops.c). For values with the highest
 * bits set that loses a carry, 2^256, which consensus has to repeat where scalars need not be below l.
 */
function slide(scalar: usize): void {
  for (let i = 0; i < 256; i++) {
    store<i8>(DIGITS + i, <i8>((load<u8>(scalar + (i >> 3)) >> (<u8>(i & 7))) & 1));
  }
  for (let i = 0; i < 256; i++) {
    if (load<i8>(DIGITS + i) == 0) continue;
    for (let b = 1; b <= REACH && i + b < 256; b++) {
      const next = (<i32>load<i8>(DIGITS + i + b)) << b;
      if (next == 0) continue;
      const digit = <i32>load<i8>(DIGITS + i);
      if (digit + next <= MAX_DIGIT) {
        store<i8>(DIGITS + i, <i8>(digit + next));
        store<i8>(DIGITS + i + b, 0);
      } else if (digit - next >= -MAX_DIGIT) {
        store<i8>(DIGITS + i, <i8>(digit - next));
        carryFrom(i + b);
      } else {
        break;
      }
    }
  }
}

/** Adds scalar·P, for 256 bits that count as upstream's recoding has them, and a packed table of 5 bits or wider. */
export function addSlidTerm(scalar: usize, table: usize): void {
  slide(scalar);
  for (let i = 0; i < 256; i++) {
    const digit = <i32>load<i8>(DIGITS + i);
    if (digit == 0) continue;
    const entry = <u32>table + <u32>(abs(digit) >> 1) * <u32>PACKED_POINT_SIZE;
    addStep(i, entry + (IS_PACKED | (digit < 0 ? SUBTRACT : 0)));
  }
}

/** One addition to the accumulator; the result waits for toProjective or toExtended. */
function takeStep(step: u32): void {
  const entry = <usize>(step & ~FLAGS);
  switch (step & FLAGS) {
    case 0:
      return addCached(ACCUMULATOR, entry);
    case SUBTRACT:
      return subtractCached(ACCUMULATOR, entry);
    case IS_PACKED:
      return addPacked(ACCUMULATOR, entry);
    default:
      return subtractPacked(ACCUMULATOR, entry);
  }
}

/** r = the sum of all terms; extended if that is asked for, else projective. */
export function evaluate(r: usize, extended: bool = false): void {
  setIdentity(ACCUMULATOR);
  let started = false;
  for (let i = <i32>POSITIONS - 1; i >= 0; i--) {
    const count = load<u32>(COUNTS + 4 * i);
    if (started) double(ACCUMULATOR);
    for (let k: u32 = 0; k < count; k++) {
      if (started) toExtended(ACCUMULATOR);
      takeStep(load<u32>(steps + (<usize>i * MAX_TERMS + k) * 4));
      started = true;
    }
    if (!started) continue;
    if (i == 0 && extended) toExtended(ACCUMULATOR);
    else toProjective(ACCUMULATOR);
  }
  copyPoint(r, ACCUMULATOR);
}
