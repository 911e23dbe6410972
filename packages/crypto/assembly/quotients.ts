/**
 * The V_j of a batch of range proofs: output commitments divided by 8. They occur in the sum and, encoded, in the
 * transcripts. All V_j of a batch are encoded with one inversion.
 */

import { addSmallTerm, begin, evaluate } from './combination.ts';
import { invertAll } from './field-power.ts';
import { FIELD_SIZE } from './limbs.ts';
import { allocate } from './memory.ts';
import { nextPoint } from './multi-exponentiation.ts';
import { POINT_SIZE, Z } from './point.ts';
import { decodePoint, encodeWithInverse } from './point-codec.ts';
import { MAX_OUTPUTS, MAX_PROOFS } from './range-proof.ts';
import { invert, setSmall } from './scalar.ts';
import { fillSmallTable, packWithInverse, SMALL_TABLE_SIZE } from './tables.ts';

let points: usize = 0; // projective
let encodings: usize = 0;
let places: usize = 0; // where the sum wants them
let products: usize = 0; // scratch for the inversion
let table: usize = 0;

/** 8^-1 modulo l, as an integer: it multiplies commitments even where they have torsion. */
export const ONE_EIGHTH: usize = memory.data(32, 16);
const POINT: usize = memory.data(288, 16);

/** Reserves memory. */
export function setUpQuotients(): void {
  const count = <usize>(MAX_PROOFS * MAX_OUTPUTS);
  points = allocate(count * POINT_SIZE);
  encodings = allocate(count * 32);
  places = allocate(count * 4);
  products = allocate(count * FIELD_SIZE);
  table = allocate(SMALL_TABLE_SIZE);
  setSmall(ONE_EIGHTH, 8);
  invert(ONE_EIGHTH, ONE_EIGHTH);
}

/** Computes quotients `first` and following from `count` commitments and takes places in the sum; false for no point. */
export function readQuotients(commitments: usize, first: i32, count: i32): bool {
  for (let j = 0; j < count; j++) {
    if (!decodePoint(POINT, commitments + 32 * <usize>j)) return false;
    fillSmallTable(table, POINT);
    begin();
    addSmallTerm(ONE_EIGHTH, table);
    evaluate(points + <usize>(first + j) * POINT_SIZE);
    store<u32>(places + 4 * <usize>(first + j), <u32>nextPoint());
  }
  return true;
}

/** Encodes all quotients and puts them into the sum. */
export function finishQuotients(count: i32): void {
  invertAll(points + Z, POINT_SIZE, count, products);
  for (let i = 0; i < count; i++) {
    const point = points + <usize>i * POINT_SIZE;
    encodeWithInverse(encodings + 32 * <usize>i, point, point + Z);
    packWithInverse(<usize>load<u32>(places + 4 * <usize>i), point, point + Z);
  }
}

/** The encoding of a quotient; those of one proof follow one another. */
export function encodedQuotient(index: i32): usize {
  return encodings + 32 * <usize>index;
}
