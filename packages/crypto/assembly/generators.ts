/** The base points G and H and the vector generators of Bulletproof+, with their tables. */

import { setSmall, toBytes } from './field.ts';
import { multiply } from './field-multiply.ts';
import { invert } from './field-power.ts';
import { hashToPoint } from './hash-to-point.ts';
import { keccak256 } from '../../keccak/assembly/keccak.ts';
import { allocate, writeAscii } from './memory.ts';
import { multiplyByCofactor, PACKED_POINT_SIZE, POINT_SIZE } from './point.ts';
import { decodePoint, encodePoint } from './point-codec.ts';
import { fillPackedTable, packAll, packedTableSize } from './tables.ts';
import { FIELD_SIZE } from './limbs.ts';

/** Wide windows for G, which occurs in every signature. */
export const G_WIDTH: i32 = 12;
/** Windows for the other fixed points. */
export const GENERATOR_WIDTH: i32 = 8;

/** The base point G: y = 4/5, x even. */
export const G: usize = memory.data(288, 16);
const G_BYTES: usize = memory.data(32, 16);
/** The base of amounts H = 8·decode(K(G)); not Hp(G). */
export const H: usize = memory.data(288, 16);
const H_BYTES: usize = memory.data(32, 16);

let gTable: usize = 0;
let hTable: usize = 0;

export function tableOfG(): usize {
  return gTable;
}

export function tableOfH(): usize {
  return hTable;
}

/** Computes G and H and their tables. */
export function setUpBasePoints(): void {
  setSmall(G, 5);
  invert(G, G);
  setSmall(H, 4);
  multiply(G, G, H);
  toBytes(G_BYTES, G);
  decodePoint(G, G_BYTES);
  keccak256(H_BYTES, G_BYTES, 32);
  decodePoint(H, H_BYTES);
  multiplyByCofactor(H, H);
  encodePoint(H_BYTES, H);
  decodePoint(H, H_BYTES); // so that Z = 1

  gTable = allocate(packedTableSize(G_WIDTH));
  hTable = allocate(packedTableSize(GENERATOR_WIDTH));
  fillPackedTable(gTable, G, G_WIDTH);
  fillPackedTable(hTable, H, GENERATOR_WIDTH);
}

/** The two families of vector generators. */
export const BULLETPROOF: i32 = 0;
export const BULLETPROOF_PLUS: i32 = 1;
const FAMILIES: i32 = 2;

/** Pairs of vector generators: 16 outputs of 64 bits. */
export const MAX_PAIRS: i32 = 1024;
/** Pairs that have tables: 2 outputs of 64 bits, by far the most frequent size. */
export const TABLE_PAIRS: i32 = 128;
/** Pairs computed at a time. */
const STRIDE: i32 = 64;

let packedPoints: usize = 0;
let tables: usize = 0;
let scratch: usize = 0;
/** How many pairs of each family are known, as words. */
const KNOWN: usize = memory.data(8, 16);

/** Reserves room for the vector generators; they are computed when first needed. */
export function setUpGenerators(): void {
  packedPoints = allocate(<usize>(FAMILIES * 2 * MAX_PAIRS) * PACKED_POINT_SIZE);
  tables = allocate(<usize>(FAMILIES * 2 * TABLE_PAIRS) * packedTableSize(GENERATOR_WIDTH));
  scratch = allocate(<usize>(2 * STRIDE) * (POINT_SIZE + FIELD_SIZE));
}

/** Generator 2i is H_i, generator 2i + 1 is G_i. This one must be known; packed. */
export function packedGenerator(family: i32, index: i32): usize {
  return packedPoints + <usize>(family * 2 * MAX_PAIRS + index) * PACKED_POINT_SIZE;
}

/** The table of a generator, for an index below 2·TABLE_PAIRS. */
export function tableOfGenerator(family: i32, index: i32): usize {
  return tables + <usize>(family * 2 * TABLE_PAIRS + index) * packedTableSize(GENERATOR_WIDTH);
}

const SEED: usize = memory.data(64, 16);

/** r = Hp(K(H ‖ the family's name ‖ varint(index))): the hash is taken here and once more inside Hp. */
function computeGenerator(r: usize, family: i32, index: i32): void {
  memory.copy(SEED, H_BYTES, 32);
  let length: usize = 32;
  length += writeAscii(SEED + length, 'bulletproof');
  if (family == BULLETPROOF_PLUS) length += writeAscii(SEED + length, '_plus');
  if (index < 0x80) {
    store<u8>(SEED + length++, <u8>index);
  } else {
    store<u8>(SEED + length++, (<u8>(index & 0x7f)) | 0x80);
    store<u8>(SEED + length++, <u8>(index >> 7));
  }
  keccak256(SEED, SEED, length);
  hashToPoint(r, SEED, 32);
}

/** Makes sure that the first `pairs` pairs of a family, at most MAX_PAIRS, are known. */
export function ensureGenerators(family: i32, pairs: i32): void {
  let known = load<i32>(KNOWN + 4 * family);
  while (known < pairs) {
    const first = 2 * known;
    for (let i = 0; i < 2 * STRIDE; i++) {
      const point = scratch + <usize>i * POINT_SIZE;
      computeGenerator(point, family, first + i);
      if (known >= TABLE_PAIRS) continue;
      fillPackedTable(tableOfGenerator(family, first + i), point, GENERATOR_WIDTH);
    }
    const products = scratch + <usize>(2 * STRIDE) * POINT_SIZE;
    packAll(packedGenerator(family, first), scratch, 2 * STRIDE, products);
    known += STRIDE;
    store<i32>(KNOWN + 4 * family, known);
  }
}
