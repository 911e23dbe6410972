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
export { exampleClsag } from './example-clsag.ts';
export { keyImageOf, signClsag } from '../insecure-signer/clsag-signer.ts';
export type { ClsagSecrets } from '../insecure-signer/clsag-signer.ts';
export { commit } from '../insecure-signer/commitment.ts';
export { createTestRandom } from './random.ts';
export type { TestRandom } from './random.ts';
