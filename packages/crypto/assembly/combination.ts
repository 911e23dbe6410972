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

/** Scalars are at most l < 2^253; a carry can set bit 253. */
const POSITIONS: u32 = 254;
/** Most terms of one combination: the fixed generators and 64 points more. */
const MAX_TERMS: usize = 324;

// What is to be added at each bit: the address of a table entry, a multiple of 4, plus flags.
const SUBTRACT: u32 = 1;
const IS_PACKED: u32 = 2;
const FLAGS: u32 = 3;

let steps: usize = 0; // POSITIONS lists of MAX_TERMS words
const COUNTS: usize = memory.data(1016, 16); // their lengths, 254 words

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
    carry = <u32>(digit >= half);
    if (carry) digit = 2 * half - digit;
    const step = <u32>table + (digit >> 1) * entrySize + (flags | (carry ? SUBTRACT : 0));
    const count = load<u32>(COUNTS + 4 * i);
    store<u32>(steps + (<usize>i * MAX_TERMS + count) * 4, step);
    store<u32>(COUNTS + 4 * i, count + 1);
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
