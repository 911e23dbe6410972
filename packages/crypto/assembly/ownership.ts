/**
 * The computations by which a wallet finds its outputs: derivations, view tags, spend keys; and sums of two multiples. The
 * secrets take part in arithmetic whose time depends on them.
 */

import { addSmallTerm, begin, evaluate } from './combination.ts';
import { invertAll } from './field-power.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { keccak256 } from '../../keccak/assembly/keccak.ts';
import { FIELD_SIZE } from './limbs.ts';
import { allocate, writeAscii } from './memory.ts';
import { subtractMultipleOfG } from './multiples-of-g.ts';
import { copyPoint, multiplyByCofactor, POINT_SIZE, setIdentity, Z } from './point.ts';
import { decodePoint, encodeWithInverse } from './point-codec.ts';
import { isCanonical } from './scalar.ts';
import { fillSmallTable, SMALL_TABLE_SIZE } from './tables.ts';

/** Most items that one call takes, which share an inversion. */
export const MAX_ITEMS: i32 = 256;

/** The view tag of an output that has none. */
const NO_VIEW_TAG: u32 = 256;

let points: usize = 0;
let products: usize = 0;
let tableA: usize = 0;
let tableB: usize = 0;

const OTHER: usize = memory.data(288, 16);
/** "view_tag", a derivation and a varint. */
const MESSAGE: usize = memory.data(48, 16);
const TAG_SIZE: usize = 8;
const HASH: usize = memory.data(32, 16);

/** Encodings of up to MAX_ITEMS points. */
let encoded: usize = 0;

/** Reserves memory. */
export function setUpOwnership(): void {
  encoded = allocate(<usize>MAX_ITEMS * 32);
  points = allocate(<usize>MAX_ITEMS * POINT_SIZE);
  products = allocate(<usize>MAX_ITEMS * FIELD_SIZE);
  tableA = allocate(SMALL_TABLE_SIZE);
  tableB = allocate(SMALL_TABLE_SIZE);
  writeAscii(MESSAGE, 'view_tag');
}

function pointAt(i: i32): usize {
  return points + <usize>i * POINT_SIZE;
}

/** Writes the encodings of the first `count` points, `stride` bytes apart. */
function encodeAll(out: usize, stride: usize, count: i32): void {
  invertAll(points + Z, POINT_SIZE, count, products);
  for (let i = 0; i < count; i++) {
    encodeWithInverse(out + <usize>i * stride, pointAt(i), pointAt(i) + Z);
  }
}

/** Replaces points of 32 bytes by 8·secret·P for a secret below l; a byte of `answers` becomes 1, or 0 where there is none. */
export function keyDerivations(secret: usize, items: usize, answers: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const point = pointAt(i);
    const valid = decodePoint(point, items + 32 * <usize>i);
    store<u8>(answers + <usize>i, u8(valid));
    if (!valid) {
      setIdentity(point);
      continue;
    }
    fillSmallTable(tableA, point);
    begin();
    addSmallTerm(secret, tableA);
    evaluate(point);
    multiplyByCofactor(point, point);
  }
  encodeAll(items, 32, count);
}

/** An item of `spendKeys`: the index, the view tag, a derivation and the output's key, which becomes the spend key. */
const CANDIDATE: usize = 72;
const INDEX: usize = 0;
const VIEW_TAG: usize = 4;
const DERIVATION: usize = 8;
const KEY: usize = 40;

/** Appends a number, seven bits a byte; answers the address after it. */
function writeVarint(at: usize, value: u32): usize {
  for (; value >= 0x80; value >>= 7) store<u8>(at++, <u8>(value | 0x80));
  store<u8>(at++, <u8>value);
  return at;
}

/** The key that was decoded last in this call, or 0, and whether it is a point. */
let lastKey: usize = 0;
let isLastValid: bool = false;
const LAST_POINT: usize = memory.data(288, 16);

function isSameKey(a: usize, b: usize): bool {
  for (let i: usize = 0; i < 32; i += 8) {
    if (load<u64>(a + i) != load<u64>(b + i)) return false;
  }
  return true;
}

/** Decodes an output's key. An output is often tried with two public keys, one after the other. */
function decodeKey(r: usize, key: usize): bool {
  if (lastKey == 0 || !isSameKey(lastKey, key)) isLastValid = decodePoint(LAST_POINT, key);
  lastKey = key;
  if (isLastValid) copyPoint(r, LAST_POINT);
  return isLastValid;
}

/** r = the spend key; false if the view tag differs or the key is not a point. */
function spendKey(r: usize, candidate: usize): bool {
  memory.copy(MESSAGE + TAG_SIZE, candidate + DERIVATION, 32);
  const end = writeVarint(MESSAGE + TAG_SIZE + 32, load<u32>(candidate, INDEX));
  const viewTag = load<u32>(candidate, VIEW_TAG);
  if (viewTag != NO_VIEW_TAG) {
    keccak256(HASH, MESSAGE, end - MESSAGE);
    if (<u32>load<u8>(HASH) != viewTag) return false;
  }
  if (!decodeKey(r, candidate + KEY)) return false;
  hashToScalar(HASH, MESSAGE + TAG_SIZE, end - MESSAGE - TAG_SIZE);
  subtractMultipleOfG(r, HASH);
  return true;
}

/** Computes P - Hs(derivation ‖ index)·G for each candidate; a byte of `answers` becomes 1, or 0 where there is none. */
export function spendKeys(items: usize, answers: usize, count: i32): void {
  let found = 0;
  lastKey = 0;
  for (let i = 0; i < count; i++) {
    const valid = spendKey(pointAt(found), items + <usize>i * CANDIDATE);
    store<u8>(answers + <usize>i, u8(valid));
    if (valid) found++;
  }
  encodeAll(encoded, 32, found);
  let next = encoded;
  for (let i = 0; i < count; i++) {
    if (load<u8>(answers + <usize>i) == 0) continue;
    memory.copy(items + <usize>i * CANDIDATE + KEY, next, 32);
    next += 32;
  }
}

/** An item of `addMultiples`: a, A, b, B; a becomes a·A + b·B, and the first word of A 1, or 0 if there is none. */
const SUM: usize = 128;

function addPair(r: usize, sum: usize): bool {
  if (!isCanonical(sum) || !isCanonical(sum + 64)) return false;
  if (!decodePoint(r, sum + 32) || !decodePoint(OTHER, sum + 96)) return false;
  fillSmallTable(tableA, r);
  fillSmallTable(tableB, OTHER);
  begin();
  addSmallTerm(sum, tableA);
  addSmallTerm(sum + 64, tableB);
  evaluate(r);
  return true;
}

/** Computes the sums of two multiples. */
export function addMultiples(items: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const item = items + <usize>i * SUM;
    const valid = addPair(pointAt(i), item);
    if (!valid) setIdentity(pointAt(i));
    store<u32>(item, u32(valid), 32);
  }
  encodeAll(items, SUM, count);
}
