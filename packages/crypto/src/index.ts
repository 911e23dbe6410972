export { keccak256 } from './keccak.ts';
export { createDefaultBackend } from './default-backend.ts';
export { createReferenceBackend } from './reference/backend.ts';
export { runCheck } from './checks.ts';
export type { CryptoCheck } from './checks.ts';
export type {
  BalanceStatement,
  BulletproofPlusProof,
  ClsagProof,
  CryptoBackend,
  RingPoint,
} from './types.ts';
export { createVerificationPool } from './pool/create.ts';
export { VerificationPoolError } from './pool/errors.ts';
export { createInlineVerificationPool } from './pool/inline.ts';
export type { VerificationPool } from './pool/types.ts';
