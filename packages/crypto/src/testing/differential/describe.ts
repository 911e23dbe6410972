import { sampleSize } from '@monero-node/base/testing';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createReferenceBackend } from '../../reference/backend.ts';
import { addToCount, differentialKinds, runKind, type Count, type Subject } from './run.ts';

/**
 * How many inputs to try, and where they start: `DIFFERENTIAL_CASES` (by default 100, which takes seconds, or 300 of `WHOLE_TESTS`)
 * and `DIFFERENTIAL_SEED` in the environment. The nightly workflow compares 400,000 cases with tools/differential.mjs besides.
 */
export const CASES = Number(
  process.env['DIFFERENTIAL_CASES'] ?? sampleSize({ usual: 100, whole: 300 }),
);
export const SEED = process.env['DIFFERENTIAL_SEED'] ?? 'differential';
/** Fewest cases of a kind, even if it is slow: enough for both verdicts to occur. */
const FEWEST = 9;
/** Milliseconds; jest's own limit is too short for many cases. */
export const TIME_LIMIT = 60_000 + 100 * CASES;

export function fraction(divisor: number): number {
  return Math.ceil(CASES / divisor);
}

/** Asks backends and the reference the same questions and compares their answers. */
export function describeDifferential(subjects: readonly Subject[]): void {
  const names = subjects.map(({ name }) => name).join(', ');
  describe(`${names} against the reference, ${CASES} cases from '${SEED}'`, () => {
    const all = [{ name: 'reference', backend: createReferenceBackend() }, ...subjects];
    test.each(differentialKinds(SEED))(
      '$name',
      (kind) => {
        const count: Count = { cases: 0, accepted: 0, refused: 0 };
        for (const outcome of runKind(kind, { cases: CASES, seed: SEED, fewest: FEWEST }, all)) {
          addToCount(count, outcome);
          if (!outcome.agreed) throw new Error(`no agreement: ${toJson(outcome)}`);
        }
        expect(count.cases).toBeGreaterThan(0);
        // A generator that only makes one verdict would test half of a verifier.
        if (count.accepted + count.refused > 0) {
          expect(Math.min(count.accepted, count.refused)).toBeGreaterThan(0);
        }
      },
      TIME_LIMIT,
    );
  });
}

/** Plain data as JSON: byte arrays in hex, bigints in decimal. */
export function toJson(data: unknown): string {
  const plain = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return bytesToHex(value);
    if (typeof value === 'bigint') return `${value}`;
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  };
  return JSON.stringify(plain(data), undefined, 2);
}
