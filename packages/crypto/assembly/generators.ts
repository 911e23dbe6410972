/** The base points G and H and the vector generators of Bulletproof+, with their tables. */

import { setSmall, toBytes } from './field.ts';
import { multiply } from './field-multiply.ts';
import { invert } from './field-power.ts';
import { hashToPoint } from './hash-to-point.ts';
import { keccak256 } from './keccak.ts';
import { allocate, writeAscii } from './memory.ts';
import { multiplyByCofactor, PACKED_POINT_SIZE, POINT_SIZE } from './point.ts';
import { decodePoint, encodePoint } from './point-codec.ts';
import { fillPackedTable, packAll, packedTableSize } from './tables.ts';
import { FIELD_SIZE } from './limbs.ts';

/** Wide windows for G, which stands in every signature. */
export const G_WIDTH: i32 = 12;
/** Windows for the other fixed points. */
export const GENERATOR_WIDTH: i32 = 8;

/** The base point G: y = 4/5, x even. */
export const G: usize = memory.data(288, 16);
export const G_BYTES: usize = memory.data(32, 16);
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

/** Pairs of vector generators: 16 outputs of 64 bits. */
export const MAX_PAIRS: i32 = 1024;
/** Pairs that have tables: 2 outputs of 64 bits, by far the most frequent size. */
export const TABLE_PAIRS: i32 = 128;

/** Pairs computed at a time. */
const STRIDE: i32 = 64;

let packedPoints: usize = 0;
let tables: usize = 0;
let scratch: usize = 0;
let known: i32 = 0;

/** Reserves room for the vector generators; they are computed when first needed. */
export function setUpGenerators(): void {
  packedPoints = allocate(<usize>(2 * MAX_PAIRS) * PACKED_POINT_SIZE);
  tables = allocate(<usize>(2 * TABLE_PAIRS) * packedTableSize(GENERATOR_WIDTH));
  scratch = allocate(<usize>(2 * STRIDE) * (POINT_SIZE + FIELD_SIZE));
}

/** Generator 2i is H_i, generator 2i + 1 is G_i. This one must be known and packed. */
export function packedGenerator(index: i32): usize {
  return packedPoints + <usize>index * PACKED_POINT_SIZE;
}

/** The table of a generator, for an index below 2·TABLE_PAIRS. */
export function tableOfGenerator(index: i32): usize {
  return tables + <usize>index * packedTableSize(GENERATOR_WIDTH);
}

const SEED: usize = memory.data(64, 16);

/** r = Hp(K(H ‖ "bulletproof_plus" ‖ varint(index))): the hash is taken here and once more inside Hp. */
function computeGenerator(r: usize, index: i32): void {
  memory.copy(SEED, H_BYTES, 32);
  let length: usize = 32 + writeAscii(SEED + 32, 'bulletproof_plus');
  if (index < 0x80) {
    store<u8>(SEED + length++, <u8>index);
  } else {
    store<u8>(SEED + length++, (<u8>(index & 0x7f)) | 0x80);
    store<u8>(SEED + length++, <u8>(index >> 7));
  }
  keccak256(SEED, SEED, length);
  hashToPoint(r, SEED, 32);
}

/** Makes sure that the first `pairs` pairs, at most MAX_PAIRS, are known. */
export function ensureGenerators(pairs: i32): void {
  while (known < pairs) {
    const first = 2 * known;
    for (let i = 0; i < 2 * STRIDE; i++) {
      const point = scratch + <usize>i * POINT_SIZE;
      computeGenerator(point, first + i);
      if (known < TABLE_PAIRS) fillPackedTable(tableOfGenerator(first + i), point, GENERATOR_WIDTH);
    }
    packAll(
      packedGenerator(first),
      scratch,
      2 * STRIDE,
      scratch + <usize>(2 * STRIDE) * POINT_SIZE,
    );
    known += STRIDE;
  }
}
