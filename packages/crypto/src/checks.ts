import { MachineError } from '@monero-node/base';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  CryptoBackend,
  FcmpStatement,
  FcmpVerifier,
  MlsagProof,
  RingSignatureProof,
} from './types.ts';

/** A unit of work that can be sent to a thread. It has one answer per item; a batch of Bulletproofs or FCMP++ proofs has one in all. */
export type CryptoCheck =
  | { kind: 'points'; points: readonly Uint8Array[] }
  | { kind: 'key-images'; keyImages: readonly Uint8Array[] }
  | { kind: 'balance'; statements: readonly BalanceStatement[] }
  | { kind: 'clsag'; proofs: readonly ClsagProof[] }
  | { kind: 'bulletproof-plus'; proofs: readonly BulletproofPlusProof[] }
  | { kind: 'ring-signature'; proofs: readonly RingSignatureProof[] }
  | { kind: 'mlsag'; proofs: readonly MlsagProof[] }
  | { kind: 'borromean'; proofs: readonly BorromeanProof[] }
  | { kind: 'bulletproof'; proofs: readonly BulletproofProof[] }
  | { kind: 'fcmp-plus-plus'; proofs: readonly FcmpStatement[] };

/** Returns whether the proofs of a check are verified together, with one answer for all. */
export function isBatched({ kind }: Pick<CryptoCheck, 'kind'>): boolean {
  return kind === 'bulletproof' || kind === 'bulletproof-plus' || kind === 'fcmp-plus-plus';
}

/** Returns a check of these items, which must be of the kind. */
export function checkOf(kind: CryptoCheck['kind'], items: readonly unknown[]): CryptoCheck {
  switch (kind) {
    case 'points':
      return { kind, points: items as Uint8Array[] };
    case 'key-images':
      return { kind, keyImages: items as Uint8Array[] };
    case 'balance':
      return { kind, statements: items as BalanceStatement[] };
    default:
      return { kind, proofs: items } as CryptoCheck;
  }
}

/** Returns the items of a check: points, key images, statements or proofs. */
export function itemsOf(
  check: CryptoCheck | { readonly kind: 'clsag'; readonly proofs: readonly unknown[] },
): readonly unknown[] {
  switch (check.kind) {
    case 'points':
      return check.points;
    case 'key-images':
      return check.keyImages;
    case 'balance':
      return check.statements;
    default:
      return check.proofs;
  }
}

/** Stands for the verifier of FCMP++ proofs where there is none, as on chains that have no such proofs. */
const NO_FCMP: FcmpVerifier = () => {
  throw new MachineError('no verifier of FCMP++ proofs was given');
};

/**
 * Runs a check on the calling thread and returns its answers; [true] for an empty batch of Bulletproofs or FCMP++ proofs.
 *
 * Throws MachineError for FCMP++ proofs without `fcmp`, and what `fcmp` throws.
 */
export function runCheck(
  backend: CryptoBackend,
  check: CryptoCheck,
  fcmp: FcmpVerifier = NO_FCMP,
): boolean[] {
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
    case 'fcmp-plus-plus':
      return [fcmp(check.proofs)];
  }
}
