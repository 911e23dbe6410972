/** Results of 32 bytes, one after another, and for each 1, or 0 where there is none. */
export interface PackedResults {
  readonly results: Uint8Array;
  readonly answers: Uint8Array;
}

/** The part of a fast backend that computes from packed bytes for a wallet. Any number of items may be passed. */
export interface OwnershipEngine {
  /** Returns 8·secret·P for points of 32 bytes each, and a secret below l. */
  derive(secret: Uint8Array, points: Uint8Array): PackedResults;
  /** Returns spend keys for candidates of CANDIDATE_SIZE bytes each. */
  spend(candidates: Uint8Array): PackedResults;
  /** Returns sums a·A + b·B for SUM_SIZE bytes each: a, A, b, B. */
  add(sums: Uint8Array): PackedResults;
}

/** Bytes of a sum. */
export const SUM_SIZE = 4 * 32;

/** Computes results part by part, for parts of at most `most` items of `size` bytes. */
export function computeInParts(
  items: Uint8Array,
  { size, most }: { readonly size: number; readonly most: number },
  compute: (part: Uint8Array, results: Uint8Array, answers: Uint8Array) => void,
): PackedResults {
  const count = items.length / size;
  const results = new Uint8Array(32 * count);
  const answers = new Uint8Array(count);
  for (let from = 0; from < count; from += most) {
    const to = Math.min(count, from + most);
    const part = items.subarray(size * from, size * to);
    compute(part, results.subarray(32 * from, 32 * to), answers.subarray(from, to));
  }
  return { results, answers };
}
