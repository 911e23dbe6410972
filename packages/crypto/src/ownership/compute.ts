// The functions of a backend that concern ownership, for backends that take packed bytes.
import { Packer } from '../packer.ts';
import { checkSecret, hasCandidateShape, hasSumShape, isElement } from '../proofs/shapes.ts';
import type { OutputCandidate, OutputMatch, PointSum } from '../types.ts';
import { type OwnershipEngine, type PackedResults, SUM_SIZE } from './engine.ts';
import { CANDIDATE_SIZE, NO_VIEW_TAG, type OutputBatch } from '../output-batch.ts';

/** Outputs that are packed at a time; as many as a call of the addon takes. */
const STEP = 1008;

/** See `CryptoBackend.keyDerivations`; keys have 32 bytes. Throws RangeError unless the secret is a scalar below l. */
export function keyDerivations(
  engine: OwnershipEngine,
  secret: Uint8Array,
  publicKeys: readonly Uint8Array[],
): (Uint8Array | undefined)[] {
  checkSecret(secret);
  return computeEach(publicKeys, isElement, (keys) => {
    const packer = new Packer(32 * keys.length);
    packer.elements(keys);
    return engine.derive(secret, packer.bytes);
  });
}

/** See `CryptoBackend.spendKeys`; keys have 32 bytes. */
export function spendKeys(
  engine: OwnershipEngine,
  candidates: readonly OutputCandidate[],
): (Uint8Array | undefined)[] {
  return computeEach(candidates, hasCandidateShape, (good) => {
    const packer = new Packer(good.length * CANDIDATE_SIZE);
    for (const { index, viewTag, derivation, key } of good) {
      packer.number(index);
      packer.number(viewTag ?? NO_VIEW_TAG);
      packer.element(derivation);
      packer.element(key);
    }
    return engine.spend(packer.bytes);
  });
}

/** See `CryptoBackend.addMultiples`; points have 32 bytes. */
export function addMultiples(
  engine: OwnershipEngine,
  sums: readonly PointSum[],
): (Uint8Array | undefined)[] {
  return computeEach(sums, hasSumShape, (good) => {
    const packer = new Packer(good.length * SUM_SIZE);
    for (const { a, A, b, B } of good) packer.elements([a, A, b, B]);
    return engine.add(packer.bytes);
  });
}

/** See `CryptoBackend.findSpendKeys`; the secret has 32 bytes. Throws RangeError unless the secret is a scalar below l. */
export function findSpendKeys(
  engine: OwnershipEngine,
  secret: Uint8Array,
  batch: OutputBatch,
): OutputMatch[] {
  checkSecret(secret);
  const derivations = derivationsOf(engine, secret, batch);
  const matches: OutputMatch[] = [];
  for (let from = 0; from < batch.size; from += STEP) {
    const to = Math.min(batch.size, from + STEP);
    const candidates = batch.candidates(derivations, from, to);
    const { results, answers } = engine.spend(candidates);
    // Most answers are 0.
    for (let i = answers.indexOf(1); i >= 0; i = answers.indexOf(1, i + 1)) {
      const at = CANDIDATE_SIZE * i + 8;
      matches.push({
        output: from + i,
        derivation: candidates.slice(at, at + 32),
        spendKey: results.slice(32 * i, 32 * i + 32),
      });
    }
  }
  return matches;
}

/** Returns the derivation of each public key; the identity for one that is not a point. */
function derivationsOf(
  engine: OwnershipEngine,
  secret: Uint8Array,
  { publicKeys }: OutputBatch,
): Uint8Array {
  const { results, answers } = engine.derive(secret, publicKeys);
  for (let i = answers.indexOf(0); i >= 0; i = answers.indexOf(0, i + 1)) {
    results.fill(0, 32 * i, 32 * i + 32);
    results[32 * i] = 1;
  }
  return results;
}

/** Returns a result of 32 bytes for each item: undefined for a wrong shape or where the answer is 0. */
function computeEach<T>(
  list: readonly T[],
  hasShape: (item: T) => boolean,
  compute: (items: readonly T[]) => PackedResults,
): (Uint8Array | undefined)[] {
  const shaped = list.map(hasShape);
  const { results, answers } = compute(list.filter((_, i) => shaped[i]));
  let next = 0;
  return shaped.map((ok) => {
    if (!ok) return undefined;
    const at = next++;
    // A copy, so that a result that is kept does not keep all of them.
    return answers[at] === 1 ? results.slice(32 * at, 32 * at + 32) : undefined;
  });
}
