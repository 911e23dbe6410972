import type { CryptoBackend } from '../types.ts';
import { describeBulletproofPlus } from './compliance-bulletproof-plus.ts';
import { describeClsag } from './compliance-clsag.ts';
import { describeOldProofs } from './compliance-old-proofs.ts';
import { describeOwnership } from './compliance-ownership.ts';
import { describePrimitives } from './compliance-primitives.ts';

/**
 * The tests that every backend must pass.
 *
 * @param step for a slow backend: `npm test` tries every `step`th of the altered proofs, mixed batches and batch sizes, and the
 * nightly workflow tries all (see `sampled`). It shares no factor with the number of alterations of a field, so that every kind
 * of alteration is tried.
 */
export function describeCryptoBackend(name: string, make: () => CryptoBackend, step = 1): void {
  describe(`${name} backend: primitives`, () => describePrimitives(make));
  describe(`${name} backend: CLSAG`, () => describeClsag(make, step));
  describe(`${name} backend: Bulletproof+`, () => describeBulletproofPlus(make, step));
  describe(`${name} backend: ownership of outputs`, () => describeOwnership(make, step));
  describe(`${name} backend: old proofs`, () => describeOldProofs(make, step));
}
