export { keccak256 } from './keccak.ts';
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
export type { VerificationPool } from './pool/types.ts';
