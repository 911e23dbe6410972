export { keccak256 } from '@monero-node/keccak';
export { BackendUnavailableError, createBackend, describeBackend } from './choose-backend.ts';
export type { BackendFallback, BackendOptions } from './choose-backend.ts';
export { BACKEND_CHOICES, CPU_CHOICES, CPU_VARIABLE } from './choices.ts';
export type { BackendChoice, CpuChoice } from './choices.ts';
export { createWasmBackend } from './wasm/backend.ts';
export { createReferenceBackend } from './reference/backend.ts';
export { isElement } from './proofs/shapes.ts';
export { runCheck } from './checks.ts';
export type { CryptoCheck } from './checks.ts';
export type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  CryptoBackend,
  FcmpStatement,
  FcmpVerifier,
  MlsagProof,
  OutputCandidate,
  OutputMatch,
  PointSum,
  RingPoint,
  RingSignatureProof,
} from './types.ts';
export { type BatchedOutput, OutputBatch } from './output-batch.ts';
export {
  type AnyCheck,
  countItems,
  joinPacked,
  packed,
  sliceCheck,
  unpacked,
} from './pool/any-check.ts';
export { CheckPacker } from './pool/check-bytes.ts';
export type { PackableCheck, PackedCheck } from './pool/check-bytes.ts';
export { ringPoints } from './pool/clsag-bytes.ts';
export type { ClsagToPack, RingBytes } from './pool/clsag-bytes.ts';
export type { BackendFailure, Disagreement } from './pool/confirming.ts';
export { createVerificationPool } from './pool/create.ts';
export type { VerificationPoolOptions } from './pool/create.ts';
export { VerificationPoolError } from './pool/errors.ts';
export { createInlineVerificationPool } from './pool/inline.ts';
export type { DisposableVerificationPool, VerificationPool } from './pool/types.ts';
export {
  areAddressKeys,
  createSubaddressTransactionKey,
  createTransactionKey,
  oneTimeOutput,
} from './curve/one-time-key.ts';
export type { AddressKeys, OneTimeOutput, TransactionKey } from './curve/one-time-key.ts';
export { unbiasedHashToPoint } from './curve/hash-to-point.ts';
export { multiplyMontgomery, toMontgomery } from './curve/montgomery.ts';
export { isCurvePoint } from './curve/point.ts';
export {
  addScalars,
  hashToScalarBytes,
  isScalar,
  multiplyScalars,
  publicKeyOf,
  reduceToScalar,
  subtractScalars,
} from './curve/scalar-bytes.ts';
