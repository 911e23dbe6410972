import type { CryptoBackend } from '../types.ts';
import { describeBulletproofPlus } from './compliance-bulletproof-plus.ts';
import { describeClsag } from './compliance-clsag.ts';
import { describeOldProofs } from './compliance-old-proofs.ts';
import { describeOwnership } from './compliance-ownership.ts';
import { describePrimitives } from './compliance-primitives.ts';

/** The tests that every backend must pass. */
export function describeCryptoBackend(name: string, make: () => CryptoBackend): void {
  describe(`${name} backend: primitives`, () => describePrimitives(make));
  describe(`${name} backend: CLSAG`, () => describeClsag(make));
  describe(`${name} backend: Bulletproof+`, () => describeBulletproofPlus(make));
  describe(`${name} backend: ownership of outputs`, () => describeOwnership(make));
  describe(`${name} backend: old proofs`, () => describeOldProofs(make));
}
