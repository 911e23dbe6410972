/**
 * The functions that JavaScript calls. Addresses are those of `input`; predicates return 0 or 1. Nothing here traps on
 * hostile bytes: a trap means a defect or a lack of memory.
 */

import { BORROMEAN_SIZE, setUpBorromean, verifyBorromean } from './borromean.ts';
import { setUpBulletproofs, verifyBulletproof } from './bulletproof.ts';
import { bulletproofSize } from './bulletproof-proof.ts';
import { setUpBulletproofPlus, verifyBulletproofPlus } from './bulletproof-plus.ts';
import { bulletproofPlusSize, setUpBulletproofPlusTranscript } from './bulletproof-plus-proof.ts';
import { clsagSize, setUpClsag, verifyClsag } from './clsag.ts';
import { setUpCombination } from './combination.ts';
import { commitToAmount, verifyBalance } from './commitment.ts';
import { setUpPowers } from './field-power.ts';
import { setUpBasePoints, setUpGenerators } from './generators.ts';
import { hashToPointFrom, setUpHashToPoint } from './hash-to-point.ts';
import { absorb, finish, keccak256, setUpKeccak } from '../../keccak/assembly/keccak.ts';
import { input } from './memory.ts';
import { addMultiples, keyDerivations, MAX_ITEMS, setUpOwnership, spendKeys } from './ownership.ts';
import { mlsagSize, setUpMlsag, verifyMlsag } from './mlsag.ts';
import { setUpMultiExponentiation } from './multi-exponentiation.ts';
import { setUpMultiplesOfG } from './multiples-of-g.ts';
import { setUpCurve } from './point.ts';
import { decodePoint, encodePoint } from './point-codec.ts';
import { setUpQuotients } from './quotients.ts';
import { MAX_PROOFS, setUpRangeProofs } from './range-proof.ts';
import { ringSignatureSize, setUpRingSignatures, verifyRingSignature } from './ring-signature.ts';
import { isValidKeyImage, setUpSubgroup } from './subgroup.ts';
import { setUpTables } from './tables.ts';

export {
  absorb,
  addMultiples,
  BORROMEAN_SIZE,
  bulletproofPlusSize,
  bulletproofSize,
  clsagSize,
  commitToAmount,
  finish,
  input,
  isValidKeyImage,
  keccak256,
  keyDerivations,
  MAX_ITEMS,
  MAX_PROOFS,
  mlsagSize,
  ringSignatureSize,
  spendKeys,
  verifyBalance,
  verifyBorromean,
  verifyBulletproof,
  verifyBulletproofPlus,
  verifyClsag,
  verifyMlsag,
  verifyRingSignature,
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

/** Computes constants and tables and reserves all memory except the input area. Must be called once, before anything else. */
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
  setUpRangeProofs();
  setUpQuotients();
  setUpBulletproofPlusTranscript();
  setUpBulletproofPlus();
  setUpBulletproofs();
  setUpBorromean();
  setUpMlsag();
  setUpRingSignatures();
  setUpMultiplesOfG();
  setUpOwnership();
}
