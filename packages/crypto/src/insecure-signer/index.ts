/**
 * Makes signatures and range proofs, for coins without value on private chains. Its time depends on the secrets, so that others may learn
 * them. No node loads it.
 */
export { keyDerivation, oneTimeKey, viewTag } from '../curve/one-time-key.ts';
export { decodeScalar, encodeScalar, Fn } from '../curve/scalar.ts';
export { proveBulletproofPlus, type Opening } from './bulletproof-plus-prover.ts';
export {
  keyImageOf,
  signClsag,
  SYSTEM_SCALARS,
  type ClsagSecrets,
  type ScalarSource,
} from './clsag-signer.ts';
export { commit } from './commitment.ts';
