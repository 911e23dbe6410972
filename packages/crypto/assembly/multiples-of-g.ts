/**
 * Single multiples of G, as wallets need them for every output. A table has the multiples 1·B … 128·B of
 * B = 256^i·G for each byte of a scalar, so that nothing is doubled: 32 additions. See combination.ts for sums of several terms.
 */

import { FIELD_SIZE } from './limbs.ts';
import { G } from './generators.ts';
import { allocate } from './memory.ts';
import {
  addCached,
  addPacked,
  copyPoint,
  double,
  PACKED_POINT_SIZE,
  POINT_SIZE,
  subtractPacked,
  toCached,
  toExtended,
} from './point.ts';
import { packAll } from './tables.ts';

/** Bytes of a scalar. */
const WINDOWS: i32 = 32;
/** Digits go from -128 to 127. */
const ENTRIES: i32 = 128;
const WINDOW_SIZE: usize = <usize>ENTRIES * PACKED_POINT_SIZE;

let table: usize = 0;
let isFilled: bool = false;
/** Scratch for the entries of a window. */
let points: usize = 0;
let products: usize = 0;

/** Reserves memory. */
export function setUpMultiplesOfG(): void {
  table = allocate(<usize>WINDOWS * WINDOW_SIZE);
  points = allocate(<usize>ENTRIES * POINT_SIZE);
  products = allocate(<usize>ENTRIES * FIELD_SIZE);
}

const BASE: usize = memory.data(288, 16);
const STEP: usize = memory.data(288, 16);

/** Fills the table when it is first needed: nodes never need it. */
function ensureTable(): void {
  if (isFilled) return;
  isFilled = true;
  copyPoint(BASE, G);
  for (let window = 0; window < WINDOWS; window++) {
    toCached(STEP, BASE);
    copyPoint(points, BASE);
    for (let i = 1; i < ENTRIES; i++) {
      const at = points + <usize>i * POINT_SIZE;
      addCached(at - POINT_SIZE, STEP);
      toExtended(at);
    }
    double(points + <usize>(ENTRIES - 1) * POINT_SIZE);
    toExtended(BASE);
    packAll(table + <usize>window * WINDOW_SIZE, points, ENTRIES, products);
  }
}

/** p -= scalar·G for an extended point and a scalar below l. */
export function subtractMultipleOfG(p: usize, scalar: usize): void {
  ensureTable();
  let carry: i32 = 0;
  for (let window = 0; window < WINDOWS; window++) {
    let digit = <i32>load<u8>(scalar + <usize>window) + carry;
    // The upper half stands for the negative digit that is 256 smaller. The highest byte is at most 16, so no carry is left.
    carry = i32(digit >= ENTRIES);
    if (carry) digit -= 2 * ENTRIES;
    if (digit == 0) continue;
    const entry = table + <usize>window * WINDOW_SIZE + <usize>(abs(digit) - 1) * PACKED_POINT_SIZE;
    if (digit > 0) subtractPacked(p, entry);
    else addPacked(p, entry);
    toExtended(p);
  }
}
