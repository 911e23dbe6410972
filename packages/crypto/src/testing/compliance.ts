import type { CryptoBackend } from '../types.ts';
import { describeBulletproofPlus } from './compliance-bulletproof-plus.ts';
import { describeClsag } from './compliance-clsag.ts';
import { describeOldProofs } from './compliance-old-proofs.ts';
import { describeOwnership } from './compliance-ownership.ts';
import { describePrimitives } from './compliance-primitives.ts';

/**
 * The tests that every backend must pass.
 *
 * @param step for a slow backend: of the elements of proofs that are altered one by one, of mixed batches and of batch sizes,
 * `npm test` tries every `step`th, and the nightly workflow all (see `sampled`). It shares no factor with the number of
 * alterations of an element, so that each of these is tried.
 */
export function describeCryptoBackend(name: string, make: () => CryptoBackend, step = 1): void {
  describe(`${name} backend: primitives`, () => describePrimitives(make));
  describe(`${name} backend: CLSAG`, () => describeClsag(make));
  describe(`${name} backend: Bulletproof+`, () => describeBulletproofPlus(make, step));
  describe(`${name} backend: ownership of outputs`, () => describeOwnership(make, step));
  describe(`${name} backend: old proofs`, () => describeOldProofs(make, step));
}
