/** Two field elements at a time: limbs, conversion, sums. See pair-multiply.ts for what limbs are. */

import { carry, toBytes } from './field.ts';
import { FIELD_SIZE } from './limbs.ts';

const LIMBS: i32 = 12;
/** Bytes of a pair of elements: twelve vectors of two doubles. */
export const PAIR_SIZE: usize = 192;

/** For each limb, 1.5·2^52 times the lowest bit of the next one: sums with it have no lower bits. */
export const MAGIC: usize = memory.data(192, 16);
/** 19·2^-255: what a limb of place 255 and above counts. */
export const FOLD: usize = memory.data(16, 16);
/** For each limb, 2^place. */
const SCALE: usize = memory.data(96, 16);

/** The lowest bit of limb i; 255 for i = 12. */
function placeOf(i: i32): i32 {
  return (85 * i + 3) >> 2;
}

/** 2^exponent. */
function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>((<i64>(1023 + exponent)) << 52);
}

/** Computes constants. */
export function setUpPairs(): void {
  for (let i = 0; i < LIMBS; i++) {
    const magic = 1.5 * powerOfTwo(52 + placeOf(i + 1));
    v128.store(MAGIC + 16 * <usize>i, f64x2.splat(magic));
    store<f64>(SCALE + 8 * <usize>i, powerOfTwo(placeOf(i)));
  }
  v128.store(FOLD, f64x2.splat(19 * powerOfTwo(-255)));
}

const BYTES: usize = memory.data(48, 16);

/** Sets lane 0 or 1 of a pair to the low 255 bits of 32 bytes; two units. */
function pairFromBytes(r: usize, lane: usize, bytes: usize): void {
  memory.copy(BYTES, bytes, 32);
  store<u8>(BYTES, load<u8>(BYTES, 31) & 0x7f, 31);
  for (let i = 0; i < LIMBS; i++) {
    const place = placeOf(i);
    const mask = ((<u64>1) << (placeOf(i + 1) - place)) - 1;
    const limb = (load<u64>(BYTES + ((<usize>place) >> 3)) >> (place & 7)) & mask;
    store<f64>(r + 16 * <usize>i + 8 * lane, <f64>limb * load<f64>(SCALE + 8 * <usize>i));
  }
}

const ENCODED: usize = memory.data(32, 16);

/** Sets lane 0 or 1 of a pair to an element of nine limbs and up to eight units; two units. */
export function pairFromField(r: usize, lane: usize, a: usize): void {
  toBytes(ENCODED, a);
  pairFromBytes(r, lane, ENCODED);
}

/** r = lane 0 or 1 of a pair that has one unit: nine limbs with one unit. Shifted to its place, a limb has 50 bits at most. */
export function fieldFromPair(r: usize, a: usize, lane: usize): void {
  memory.fill(r, 0, FIELD_SIZE);
  for (let i = 0; i < LIMBS; i++) {
    const place = placeOf(i);
    const limb = <i64>(load<f64>(a + 16 * <usize>i + 8 * lane) / load<f64>(SCALE + 8 * <usize>i));
    const at = r + 8 * <usize>(place / 29);
    store<i64>(at, load<i64>(at) + (limb << (place % 29)));
  }
  carry(r, r);
}

/** r = a + b; units add up. @inline */
export function addPairs(r: usize, a: usize, b: usize): void {
  v128.store(r, f64x2.add(v128.load(a, 0), v128.load(b, 0)), 0);
  v128.store(r, f64x2.add(v128.load(a, 16), v128.load(b, 16)), 16);
  v128.store(r, f64x2.add(v128.load(a, 32), v128.load(b, 32)), 32);
  v128.store(r, f64x2.add(v128.load(a, 48), v128.load(b, 48)), 48);
  v128.store(r, f64x2.add(v128.load(a, 64), v128.load(b, 64)), 64);
  v128.store(r, f64x2.add(v128.load(a, 80), v128.load(b, 80)), 80);
  v128.store(r, f64x2.add(v128.load(a, 96), v128.load(b, 96)), 96);
  v128.store(r, f64x2.add(v128.load(a, 112), v128.load(b, 112)), 112);
  v128.store(r, f64x2.add(v128.load(a, 128), v128.load(b, 128)), 128);
  v128.store(r, f64x2.add(v128.load(a, 144), v128.load(b, 144)), 144);
  v128.store(r, f64x2.add(v128.load(a, 160), v128.load(b, 160)), 160);
  v128.store(r, f64x2.add(v128.load(a, 176), v128.load(b, 176)), 176);
}

/** r = a - b; units add up. @inline */
export function subtractPairs(r: usize, a: usize, b: usize): void {
  v128.store(r, f64x2.sub(v128.load(a, 0), v128.load(b, 0)), 0);
  v128.store(r, f64x2.sub(v128.load(a, 16), v128.load(b, 16)), 16);
  v128.store(r, f64x2.sub(v128.load(a, 32), v128.load(b, 32)), 32);
  v128.store(r, f64x2.sub(v128.load(a, 48), v128.load(b, 48)), 48);
  v128.store(r, f64x2.sub(v128.load(a, 64), v128.load(b, 64)), 64);
  v128.store(r, f64x2.sub(v128.load(a, 80), v128.load(b, 80)), 80);
  v128.store(r, f64x2.sub(v128.load(a, 96), v128.load(b, 96)), 96);
  v128.store(r, f64x2.sub(v128.load(a, 112), v128.load(b, 112)), 112);
  v128.store(r, f64x2.sub(v128.load(a, 128), v128.load(b, 128)), 128);
  v128.store(r, f64x2.sub(v128.load(a, 144), v128.load(b, 144)), 144);
  v128.store(r, f64x2.sub(v128.load(a, 160), v128.load(b, 160)), 160);
  v128.store(r, f64x2.sub(v128.load(a, 176), v128.load(b, 176)), 176);
}

/** r = a small number in both lanes. */
export function setSmallPair(r: usize, value: f64): void {
  memory.fill(r, 0, PAIR_SIZE);
  v128.store(r, f64x2.splat(value));
}
