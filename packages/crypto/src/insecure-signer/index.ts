/**
 * Makes signatures and range proofs, for coins without value on private chains. Its time depends on the secrets, so that others may learn
 * them. No node loads it.
 */
export { keyDerivation, oneTimeKey, viewTag } from '../curve/one-time-key.ts';
export { decodeScalar, encodeScalar, Fn } from '../curve/scalar.ts';
export { proveBulletproofPlus, type Opening } from './bulletproof-plus-prover.ts';
export { keyImageOf, signClsag, type ClsagSecrets } from './clsag-signer.ts';
export { commit } from './commitment.ts';
export { SYSTEM_SCALARS, type ScalarSource } from './scalar-source.ts';
