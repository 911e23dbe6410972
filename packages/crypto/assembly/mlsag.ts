/**
 * Verification of MLSAG ring signatures (Noether, "Ring Confidential Transactions"; upstream `MLSAG_Ver` below `verRctMG`
 * and `verRctMGSimple`). One row for each input is linked to its key image; the last row is the difference of commitments.
 */

import { addPackedTerm, addSmallTerm, begin, evaluate } from './combination.ts';
import { multiplyH } from './commitment.ts';
import { G_WIDTH, tableOfG } from './generators.ts';
import { hashToPoint } from './hash-to-point.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { allocate } from './memory.ts';
import {
  addCached,
  isIdentity,
  setIdentity,
  subtractCached,
  toCached,
  toExtended,
} from './point.ts';
import { decodePoint, encodePair } from './point-codec.ts';
import { copy, isCanonical, isEqual, isZero } from './scalar.ts';
import { fillSmallTable, SMALL_TABLE_SIZE } from './tables.ts';

/**
 * A signature for m inputs over a ring of n with k offsets as the caller lays it out in memory, in elements of 32 bytes:
 * cc, the key images, the offsets, then for each of n positions m + 1 scalars, m keys and m commitments; behind that the
 * hashed text (the message and 3m + 2 free elements) and room for a small table of each key image.
 */
function textSize(m: usize): usize {
  return 32 * (3 * m + 3);
}

/** Bytes of a signature in memory. */
export function mlsagSize(n: usize, m: usize, k: usize): usize {
  return 32 * (1 + m + k + n * (3 * m + 1)) + textSize(m) + m * SMALL_TABLE_SIZE;
}

let memberTable: usize = 0;

/** Reserves memory. */
export function setUpMlsag(): void {
  memberTable = allocate(SMALL_TABLE_SIZE);
}

const POINT: usize = memory.data(288, 16);
const OTHER: usize = memory.data(288, 16);
const OFFSET: usize = memory.data(288, 16); // cached
const DIFFERENCE: usize = memory.data(288, 16);
const LEFT: usize = memory.data(288, 16);
const RIGHT: usize = memory.data(288, 16);
const CHALLENGE: usize = memory.data(32, 16);

/** r = r + the sum of `count` encoded points; false if one does not decode. */
function addEncoded(r: usize, encodings: usize, count: usize): bool {
  for (let i: usize = 0; i < count; i++) {
    if (!decodePoint(POINT, encodings + 32 * i)) return false;
    toCached(OTHER, POINT);
    addCached(r, OTHER);
    toExtended(r);
  }
  return true;
}

/** Makes the tables of the key images; false if one is no point or the identity. */
function prepareKeyImages(tables: usize, keyImages: usize, m: usize): bool {
  for (let j: usize = 0; j < m; j++) {
    if (!decodePoint(POINT, keyImages + 32 * j) || isIdentity(POINT)) return false;
    fillSmallTable(tables + j * SMALL_TABLE_SIZE, POINT);
  }
  return true;
}

/** Writes key ‖ s·G + c·P ‖ s·Hp(P) + c·(key image); false if the key is no point. */
function writeLinkedRow(text: usize, s: usize, key: usize, imageTable: usize): bool {
  if (!decodePoint(POINT, key)) return false;
  fillSmallTable(memberTable, POINT);
  begin();
  addPackedTerm(s, tableOfG(), G_WIDTH);
  addSmallTerm(CHALLENGE, memberTable);
  evaluate(LEFT);

  hashToPoint(POINT, key, 32);
  fillSmallTable(memberTable, POINT);
  begin();
  addSmallTerm(s, memberTable);
  addSmallTerm(CHALLENGE, imageTable);
  evaluate(RIGHT);
  memory.copy(text, key, 32);
  encodePair(text + 32, LEFT, RIGHT);
  return true;
}

/** Writes D ‖ s·G + c·D, D being the sum of the commitments less the offset; false if one is no point. */
function writeLastRow(text: usize, s: usize, commitments: usize, m: usize): bool {
  setIdentity(DIFFERENCE);
  if (!addEncoded(DIFFERENCE, commitments, m)) return false;
  subtractCached(DIFFERENCE, OFFSET);
  toExtended(DIFFERENCE);
  fillSmallTable(memberTable, DIFFERENCE);
  begin();
  addPackedTerm(s, tableOfG(), G_WIDTH);
  addSmallTerm(CHALLENGE, memberTable);
  evaluate(LEFT);
  encodePair(text, DIFFERENCE, LEFT);
  return true;
}

/** True if the signature, laid out as above with n >= 2 and m >= 1, holds. */
export function verifyMlsag(proof: usize, n: usize, m: usize, k: usize, fee: u64): bool {
  const keyImages = proof + 32;
  const offsets = keyImages + 32 * m;
  const columns = offsets + 32 * k;
  const columnSize: usize = 32 * (3 * m + 1);
  const text = columns + n * columnSize;
  const tables = text + textSize(m);
  if (!isCanonical(proof) || !prepareKeyImages(tables, keyImages, m)) return false;
  multiplyH(DIFFERENCE, fee);
  if (!addEncoded(DIFFERENCE, offsets, k)) return false;
  toCached(OFFSET, DIFFERENCE);

  copy(CHALLENGE, proof);
  for (let i: usize = 0; i < n; i++) {
    const scalars = columns + i * columnSize;
    const keys = scalars + 32 * (m + 1);
    const commitments = keys + 32 * m;
    for (let j: usize = 0; j <= m; j++) if (!isCanonical(scalars + 32 * j)) return false;
    let at = text + 32;
    for (let j: usize = 0; j < m; j++, at += 96) {
      const table = tables + j * SMALL_TABLE_SIZE;
      if (!writeLinkedRow(at, scalars + 32 * j, keys + 32 * j, table)) return false;
    }
    if (!writeLastRow(at, scalars + 32 * m, commitments, m)) return false;
    hashToScalar(CHALLENGE, text, textSize(m));
    if (isZero(CHALLENGE)) return false;
  }
  return isEqual(CHALLENGE, proof);
}
