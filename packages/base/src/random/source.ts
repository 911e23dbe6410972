/** Returns a fraction in [0, 1), uniformly distributed. */
export type RandomSource = () => number;

/**
 * Returns a fraction in [0, 1) with 53 random bits from the system's generator; for choices that peers
 * must not predict.
 */
export const secureRandom: RandomSource = createSecureRandom();

/** Asking the system for each number would be forty times slower: bits are taken in blocks of 1 KiB, each used once. */
function createSecureRandom(): RandomSource {
  const words = new Uint32Array(256);
  let next = words.length;
  return () => {
    if (next === words.length) {
      crypto.getRandomValues(words);
      next = 0;
    }
    const high = words[next++] ?? 0;
    const low = words[next++] ?? 0;
    return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
  };
}

/**
 * Returns a source whose fractions (32 random bits each) depend only on the seed (mulberry32). For
 * tests, recordings and benchmarks; an observer can predict it.
 *
 * @param seed the lowest 32 bits count
 */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
