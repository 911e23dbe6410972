import { keccak_256 } from '@noble/hashes/sha3.js';
import { hashToPoint } from '../curve/hash-to-point.ts';
import { createH, decodePoint, decodePoints, G, isInPrimeSubgroup, Point } from '../curve/point.ts';
import type { OutputBatch } from '../output-batch.ts';
import { BulletproofGenerators } from '../proofs/bulletproof-generators.ts';
import { checkSecret, isAmount } from '../proofs/shapes.ts';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  CryptoBackend,
  MlsagProof,
  OutputCandidate,
  OutputMatch,
  PointSum,
  RingSignatureProof,
} from '../types.ts';
import { verifyBorromean } from './borromean.ts';
import { verifyBulletproof } from './bulletproof.ts';
import { verifyBulletproofPlus } from './bulletproof-plus.ts';
import { verifyClsag } from './clsag.ts';
import { verifyMlsag } from './mlsag.ts';
import { addMultiples, findSpendKeys, keyDerivation, spendKey } from './ownership.ts';
import { RingMemberCache } from './ring-member-cache.ts';
import { verifyRingSignature } from './ring-signature.ts';

function sumPoints(points: readonly Point[]): Point {
  return points.reduce((sum, point) => sum.add(point), Point.ZERO);
}

/** The backend on @noble/curves: slow and portable. The other backends are compared with it. */
class ReferenceBackend implements CryptoBackend {
  readonly name = 'reference';
  readonly #H = createH().precompute(6);
  readonly #ringMembers = new RingMemberCache();
  readonly #generators = new BulletproofGenerators('bulletproof_plus');
  readonly #oldGenerators = new BulletproofGenerators('bulletproof');

  keccak256(data: Uint8Array): Uint8Array {
    return keccak_256(data);
  }

  hashToPoint(data: Uint8Array): Uint8Array {
    return hashToPoint(data).toBytes();
  }

  isPoint(bytes: Uint8Array): boolean {
    return decodePoint(bytes) !== undefined;
  }

  isValidKeyImage(keyImage: Uint8Array): boolean {
    const point = decodePoint(keyImage);
    return point !== undefined && !point.is0() && isInPrimeSubgroup(point);
  }

  commitToAmount(amount: bigint): Uint8Array {
    if (!isAmount(amount)) throw new RangeError('an amount is an unsigned 64-bit integer');
    return G.add(this.#H.multiplyUnsafe(amount)).toBytes();
  }

  verifyBalance(statement: BalanceStatement): boolean {
    if (!isAmount(statement.fee)) return false;
    const inputs = decodePoints(statement.inputs);
    const outputs = decodePoints(statement.outputs);
    if (!inputs || !outputs) return false;
    return sumPoints(inputs).equals(sumPoints(outputs).add(this.#H.multiplyUnsafe(statement.fee)));
  }

  verifyClsag(batch: readonly ClsagProof[]): boolean[] {
    return batch.map((proof) => verifyClsag(proof, this.#ringMembers));
  }

  verifyBulletproofPlus(batch: readonly BulletproofPlusProof[]): boolean {
    return verifyBulletproofPlus(batch, this.#H, this.#generators);
  }

  verifyRingSignature(batch: readonly RingSignatureProof[]): boolean[] {
    return batch.map((proof) => verifyRingSignature(proof, this.#ringMembers));
  }

  verifyMlsag(batch: readonly MlsagProof[]): boolean[] {
    return batch.map((proof) => verifyMlsag(proof, this.#H, this.#ringMembers));
  }

  verifyBorromean(batch: readonly BorromeanProof[]): boolean[] {
    return batch.map((proof) => verifyBorromean(proof, this.#H));
  }

  verifyBulletproof(batch: readonly BulletproofProof[]): boolean {
    return verifyBulletproof(batch, this.#H, this.#oldGenerators);
  }

  keyDerivations(
    secret: Uint8Array,
    publicKeys: readonly Uint8Array[],
  ): (Uint8Array | undefined)[] {
    checkSecret(secret);
    return publicKeys.map((key) => keyDerivation(secret, key));
  }

  spendKeys(candidates: readonly OutputCandidate[]): (Uint8Array | undefined)[] {
    return candidates.map(spendKey);
  }

  findSpendKeys(secret: Uint8Array, batch: OutputBatch): OutputMatch[] {
    checkSecret(secret);
    return findSpendKeys(secret, batch);
  }

  addMultiples(sums: readonly PointSum[]): (Uint8Array | undefined)[] {
    return sums.map(addMultiples);
  }
}

/** Returns the backend that runs anywhere. It caches intermediate results, so keep one for each thread. */
export function createReferenceBackend(): CryptoBackend {
  return new ReferenceBackend();
}
