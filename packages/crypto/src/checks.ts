import type { BalanceStatement, BulletproofPlusProof, ClsagProof, CryptoBackend } from './types.ts';

/** Structured-clonable units of work. Every kind answers one boolean an item, except bulletproof-plus: one for all. */
export type CryptoCheck =
  | { kind: 'points'; points: readonly Uint8Array[] }
  | { kind: 'key-images'; keyImages: readonly Uint8Array[] }
  | { kind: 'balance'; statements: readonly BalanceStatement[] }
  | { kind: 'clsag'; proofs: readonly ClsagProof[] }
  | { kind: 'bulletproof-plus'; proofs: readonly BulletproofPlusProof[] };

/** Runs one unit of work on the calling thread. An empty bulletproof-plus check answers [true]. */
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
  }
}
