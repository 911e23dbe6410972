/**
 * Verification of CLSAG ring signatures (Goodell, Noether, "Concise linkable ring signatures"; upstream
 * `verRctCLSAGSimple`).
 *
 * Ring members and the key image may have torsion. Every scalar therefore counts as the integer below l that it is: c·mu is
 * reduced before it multiplies a point, and the terms of a sum are not folded into one another.
 */

import { addPackedTerm, addSmallTerm, begin, evaluate } from './combination.ts';
import { G_WIDTH, tableOfG } from './generators.ts';
import { hashToPoint } from './hash-to-point.ts';
import { hashToScalar } from './hash-to-scalar.ts';
import { absorb, finish, STATE_SIZE } from '../../keccak/assembly/keccak.ts';
import { allocate, writeAscii } from './memory.ts';
import { isIdentity, multiplyByCofactor, subtractCached, toCached, toExtended } from './point.ts';
import { decodePoint, encodePair } from './point-codec.ts';
import { copy, isCanonical, isEqual, isZero, multiply, reduce } from './scalar.ts';
import { fillPackedTable, fillSmallTable, packedTableSize, SMALL_TABLE_SIZE } from './tables.ts';

/**
 * A signature over a ring of n as the caller lays it out in memory, in elements of 32 bytes: c1, message, key image, D,
 * pseudo-output, s_0 … s_(n-1), then room for the hashed text: one free element, P_0 … P_(n-1), C_0 … C_(n-1), four free
 * elements.
 */
const C1: usize = 0;
const MESSAGE: usize = 32;
const KEY_IMAGE: usize = 64;
const D: usize = 96;
const PSEUDO_OUT: usize = 128;
const RESPONSES: usize = 160;

/** Bytes of a signature in memory. */
export function clsagSize(n: usize): usize {
  return RESPONSES + 32 * (3 * n + 5);
}

/** Windows of the two points that every round multiplies. */
const KEY_IMAGE_WIDTH: i32 = 7;

let imageTable: usize = 0;
let dTable: usize = 0;
let memberTable: usize = 0;
let commitmentTable: usize = 0;

/** Reserves the tables. */
export function setUpClsag(): void {
  imageTable = allocate(packedTableSize(KEY_IMAGE_WIDTH));
  dTable = allocate(packedTableSize(KEY_IMAGE_WIDTH));
  memberTable = allocate(SMALL_TABLE_SIZE);
  commitmentTable = allocate(SMALL_TABLE_SIZE);
}

const POINT: usize = memory.data(288, 16);
const OFFSET: usize = memory.data(288, 16); // the pseudo-output, cached
const LEFT: usize = memory.data(288, 16);
const RIGHT: usize = memory.data(288, 16);

/** Decodes key image, D and pseudo-output and makes their tables; false if one of them is not allowed. */
function preparePoints(proof: usize): bool {
  if (!decodePoint(POINT, proof + PSEUDO_OUT)) return false;
  toCached(OFFSET, POINT);
  if (!decodePoint(POINT, proof + KEY_IMAGE) || isIdentity(POINT)) return false;
  fillPackedTable(imageTable, POINT, KEY_IMAGE_WIDTH);
  if (!decodePoint(POINT, proof + D)) return false;
  multiplyByCofactor(POINT, POINT);
  if (isIdentity(POINT)) return false;
  fillPackedTable(dTable, POINT, KEY_IMAGE_WIDTH);
  return true;
}

const MU_KEY: usize = memory.data(32, 16);
const MU_COMMITMENT: usize = memory.data(32, 16);

/** Computes the aggregation coefficients over domain ‖ P… ‖ C… ‖ key image ‖ D ‖ pseudo-output. */
function hashCoefficients(proof: usize, text: usize, n: usize): void {
  const tail = text + 32 + 64 * n;
  memory.copy(tail, proof + KEY_IMAGE, 32);
  memory.copy(tail + 32, proof + D, 32);
  memory.copy(tail + 64, proof + PSEUDO_OUT, 32);
  const length = tail + 96 - text;
  memory.fill(text, 0, 32);
  writeAscii(text, 'CLSAG_agg_0');
  hashToScalar(MU_KEY, text, length);
  writeAscii(text, 'CLSAG_agg_1');
  hashToScalar(MU_COMMITMENT, text, length);
}

/** The Keccak state after the whole blocks that all rounds of a signature share. */
const SHARED_STATE: usize = memory.data(200, 16);
const STATE: usize = memory.data(200, 16);

const CHALLENGE: usize = memory.data(32, 16);
const KEY_FACTOR: usize = memory.data(32, 16);
const COMMITMENT_FACTOR: usize = memory.data(32, 16);

/** LEFT = s·G + c·muP·P + c·muC·(C - pseudo-output), RIGHT = s·Hp(P) + c·muP·(key image) + c·muC·8D; false for no point. */
function computeRound(response: usize, key: usize, commitment: usize): bool {
  multiply(KEY_FACTOR, CHALLENGE, MU_KEY);
  multiply(COMMITMENT_FACTOR, CHALLENGE, MU_COMMITMENT);

  if (!decodePoint(POINT, key)) return false;
  fillSmallTable(memberTable, POINT);
  if (!decodePoint(POINT, commitment)) return false;
  subtractCached(POINT, OFFSET);
  toExtended(POINT);
  fillSmallTable(commitmentTable, POINT);
  begin();
  addPackedTerm(response, tableOfG(), G_WIDTH);
  addSmallTerm(KEY_FACTOR, memberTable);
  addSmallTerm(COMMITMENT_FACTOR, commitmentTable);
  evaluate(LEFT);

  hashToPoint(POINT, key, 32);
  fillSmallTable(memberTable, POINT);
  begin();
  addSmallTerm(response, memberTable);
  addPackedTerm(KEY_FACTOR, imageTable, KEY_IMAGE_WIDTH);
  addPackedTerm(COMMITMENT_FACTOR, dTable, KEY_IMAGE_WIDTH);
  evaluate(RIGHT);
  return true;
}

/** True if the signature over a ring of n >= 1, laid out as above, holds. */
export function verifyClsag(proof: usize, n: usize): bool {
  const responses = proof + RESPONSES;
  const text = responses + 32 * n;
  const keys = text + 32;
  const commitments = keys + 32 * n;
  const tail = commitments + 32 * n;
  if (!isCanonical(proof + C1)) return false;
  for (let i: usize = 0; i < n; i++) if (!isCanonical(responses + 32 * i)) return false;
  if (!preparePoints(proof)) return false;
  hashCoefficients(proof, text, n);

  // A round hashes domain ‖ P… ‖ C… ‖ pseudo-output ‖ message ‖ L ‖ R.
  writeAscii(text, 'CLSAG_round');
  memory.copy(tail, proof + PSEUDO_OUT, 32);
  memory.copy(tail + 32, proof + MESSAGE, 32);
  memory.fill(SHARED_STATE, 0, STATE_SIZE);
  const rest = text + absorb(SHARED_STATE, text, tail + 64 - text);

  copy(CHALLENGE, proof + C1);
  for (let i: usize = 0; i < n; i++) {
    if (!computeRound(responses + 32 * i, keys + 32 * i, commitments + 32 * i)) return false;
    encodePair(tail + 64, LEFT, RIGHT);
    memory.copy(STATE, SHARED_STATE, STATE_SIZE);
    finish(CHALLENGE, STATE, rest, tail + 128 - rest);
    reduce(CHALLENGE, CHALLENGE);
    if (isZero(CHALLENGE)) return false;
  }
  return isEqual(CHALLENGE, proof + C1);
}

/** Writes the challenge that the last signature ended with, for tests. */
export function lastChallenge(out: usize): void {
  copy(out, CHALLENGE);
}
