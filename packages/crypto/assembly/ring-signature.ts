/** Verification of the ring signatures of version 1 transactions (upstream `check_ring_signature`). */

import { addPackedTerm, addSmallTerm, begin, evaluate } from './combination.ts';
import { G_WIDTH, tableOfG } from './generators.ts';
import { hashToPoint } from './hash-to-point.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { allocate } from './memory.ts';
import { decodePoint, encodePair } from './point-codec.ts';
import { add, isCanonical, isEqual, setSmall } from './scalar.ts';
import { fillSmallTable, SMALL_TABLE_SIZE } from './tables.ts';

/**
 * A signature over a ring of n as the caller lays it out in memory, in elements of 32 bytes: key image, c_0, r_0, c_1,
 * r_1, …, P_0 … P_(n-1), then the hashed text: the message and 2n free elements.
 */
const SIGNATURES: usize = 32;

/** Bytes of a signature in memory. */
export function ringSignatureSize(n: usize): usize {
  return SIGNATURES + 32 * (5 * n + 1);
}

let imageTable: usize = 0;
let memberTable: usize = 0;

/** Reserves the tables. */
export function setUpRingSignatures(): void {
  imageTable = allocate(SMALL_TABLE_SIZE);
  memberTable = allocate(SMALL_TABLE_SIZE);
}

const POINT: usize = memory.data(288, 16);
const LEFT: usize = memory.data(288, 16);
const RIGHT: usize = memory.data(288, 16);
const SUM: usize = memory.data(32, 16);
const HASH: usize = memory.data(32, 16);

/** Writes c·P + r·G and r·Hp(P) + c·(key image); false if P is no point. */
function writeCommitments(out: usize, key: usize, c: usize, r: usize): bool {
  if (!decodePoint(POINT, key)) return false;
  fillSmallTable(memberTable, POINT);
  begin();
  addSmallTerm(c, memberTable);
  addPackedTerm(r, tableOfG(), G_WIDTH);
  evaluate(LEFT);

  hashToPoint(POINT, key, 32);
  fillSmallTable(memberTable, POINT);
  begin();
  addSmallTerm(r, memberTable);
  addSmallTerm(c, imageTable);
  evaluate(RIGHT);
  encodePair(out, LEFT, RIGHT);
  return true;
}

/** True if the signature, laid out as above, holds: the c of all members add up to the hash over all commitments. */
export function verifyRingSignature(proof: usize, n: usize): bool {
  if (!decodePoint(POINT, proof)) return false;
  fillSmallTable(imageTable, POINT);
  const keys = proof + SIGNATURES + 64 * n;
  const text = keys + 32 * n;
  setSmall(SUM, 0);
  for (let i: usize = 0; i < n; i++) {
    const c = proof + SIGNATURES + 64 * i;
    const r = c + 32;
    if (!isCanonical(c) || !isCanonical(r)) return false;
    if (!writeCommitments(text + 32 + 64 * i, keys + 32 * i, c, r)) return false;
    add(SUM, SUM, c);
  }
  hashToScalar(HASH, text, 32 + 64 * n);
  return isEqual(HASH, SUM);
}
