/**
 * What the JavaScript side calls. Addresses are those of `input`; predicates answer 0 or 1. Nothing here traps on
 * hostile bytes: a trap means a defect or memory that ran out.
 */

import { commitToAmount, verifyBalance } from './commitment.ts';
import { input } from './memory.ts';
import { setUpBulletproofPlus, verifyBulletproofPlus } from './bulletproof-plus.ts';
import { MAX_PROOFS, proofSize, setUpProofs } from './bulletproof-plus-proof.ts';
import { clsagSize, setUpClsag, verifyClsag } from './clsag.ts';
import { setUpCombination } from './combination.ts';
import { setUpPowers } from './field-power.ts';
import { setUpBasePoints, setUpGenerators } from './generators.ts';
import { hashToPointFrom, setUpHashToPoint } from './hash-to-point.ts';
import { absorb, finish, keccak256, setUpKeccak } from './keccak.ts';
import { setUpMultiExponentiation } from './multi-exponentiation.ts';
import { setUpCurve } from './point.ts';
import { decodePoint, encodePoint } from './point-codec.ts';
import { isValidKeyImage, setUpSubgroup } from './subgroup.ts';
import { setUpTables } from './tables.ts';

export {
  MAX_PROOFS,
  proofSize,
  verifyBulletproofPlus,
  clsagSize,
  verifyClsag,
  commitToAmount,
  verifyBalance,
  absorb,
  finish,
  keccak256,
  input,
  isValidKeyImage,
};

const POINT: usize = memory.data(288, 16);

/** True if the 32 bytes decode to a point. */
export function isPoint(bytes: usize): bool {
  return decodePoint(POINT, bytes);
}

/** Writes the encoding of Hp of the data whose Keccak-256 is given. */
export function hashToPoint(out: usize, hash: usize): void {
  hashToPointFrom(POINT, hash);
  encodePoint(out, POINT);
}

/** Computes constants and tables and reserves all memory but that for input. To be called once, before all else. */
export function setUp(): void {
  setUpKeccak();
  setUpPowers();
  setUpCurve();
  setUpHashToPoint();
  setUpTables();
  setUpCombination();
  setUpBasePoints();
  setUpGenerators();
  setUpMultiExponentiation();
  setUpSubgroup();
  setUpClsag();
  setUpProofs();
  setUpBulletproofPlus();
}
