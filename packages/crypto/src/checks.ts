import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  CryptoBackend,
  MlsagProof,
  RingSignatureProof,
} from './types.ts';

/** A unit of work that can be sent to a thread. It has one answer per item; a batch of Bulletproofs has one in all. */
export type CryptoCheck =
  | { kind: 'points'; points: readonly Uint8Array[] }
  | { kind: 'key-images'; keyImages: readonly Uint8Array[] }
  | { kind: 'balance'; statements: readonly BalanceStatement[] }
  | { kind: 'clsag'; proofs: readonly ClsagProof[] }
  | { kind: 'bulletproof-plus'; proofs: readonly BulletproofPlusProof[] }
  | { kind: 'ring-signature'; proofs: readonly RingSignatureProof[] }
  | { kind: 'mlsag'; proofs: readonly MlsagProof[] }
  | { kind: 'borromean'; proofs: readonly BorromeanProof[] }
  | { kind: 'bulletproof'; proofs: readonly BulletproofProof[] };

/** Returns whether the proofs of a check are verified together, with one answer for all. */
export function isBatched(
  check: CryptoCheck,
): check is Extract<CryptoCheck, { kind: 'bulletproof' | 'bulletproof-plus' }> {
  return check.kind === 'bulletproof' || check.kind === 'bulletproof-plus';
}

/** Returns a check of the items from `from` up to, but not including, `to`. */
export function sliceCheck(check: CryptoCheck, from: number, to: number): CryptoCheck {
  switch (check.kind) {
    case 'points':
      return { kind: check.kind, points: check.points.slice(from, to) };
    case 'key-images':
      return { kind: check.kind, keyImages: check.keyImages.slice(from, to) };
    case 'balance':
      return { kind: check.kind, statements: check.statements.slice(from, to) };
    default:
      return { kind: check.kind, proofs: check.proofs.slice(from, to) } as CryptoCheck;
  }
}

/** Returns the number of items of a check: points, key images, statements or proofs. */
export function countItems(check: CryptoCheck): number {
  switch (check.kind) {
    case 'points':
      return check.points.length;
    case 'key-images':
      return check.keyImages.length;
    case 'balance':
      return check.statements.length;
    default:
      return check.proofs.length;
  }
}

/** Runs a check on the calling thread and returns its answers; [true] for an empty batch of Bulletproofs. */
export function runCheck(backend: CryptoBackend, check: CryptoCheck): boolean[] {
  switch (check.kind) {
    case 'points':
      return check.points.map((point) => backend.isPoint(point));
    case 'key-images':
      return check.keyImages.map((keyImage) => backend.isValidKeyImage(keyImage));
    case 'balance':
      return check.statements.map((statement) => backend.verifyBalance(statement));
    case 'clsag':
      return backend.verifyClsag(check.proofs);
    case 'bulletproof-plus':
      return [backend.verifyBulletproofPlus(check.proofs)];
    case 'ring-signature':
      return backend.verifyRingSignature(check.proofs);
    case 'mlsag':
      return backend.verifyMlsag(check.proofs);
    case 'borromean':
      return backend.verifyBorromean(check.proofs);
    case 'bulletproof':
      return [backend.verifyBulletproof(check.proofs)];
  }
}
