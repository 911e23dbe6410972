export { hashToPoint } from '../curve/hash-to-point.ts';
export { createH, decodePoint, encodePoints, G, H_BYTES, Point } from '../curve/point.ts';
export {
  decodeScalar,
  encodeScalar,
  Fn,
  hashToScalar,
  INV_EIGHT,
  randomScalar,
  reduceScalar,
} from '../curve/scalar.ts';
export { BulletproofGenerators } from '../proofs/bulletproof-generators.ts';
export { proveBorromean } from './borromean-prover.ts';
export { proveBulletproofPlus } from './bulletproof-plus-prover.ts';
export { exampleClsag, keyImageOf, signClsag } from './clsag-signer.ts';
export type { ClsagSecrets } from './clsag-signer.ts';
export { commit } from './commitment.ts';
export { createTestRandom } from './random.ts';
export type { TestRandom } from './random.ts';
