/** Whether all inputs are tried: the environment has `WHOLE_TESTS`, as in the nightly workflow. */
export const isWhole = (): boolean => (process.env['WHOLE_TESTS'] ?? '') !== '';

/** Returns every `step`th element, the first one included, so that `npm test` stays short; all of them in the nightly workflow. */
export function sampled<T>(all: Iterable<T>, step: number): T[] {
  const every = isWhole() ? 1 : step;
  return [...all].filter((_, i) => i % every === 0);
}

/** Returns how many random inputs to try: the smaller number in `npm test`, the larger one in the nightly workflow. */
export function sampleSize({ usual, whole }: { usual: number; whole: number }): number {
  return isWhole() ? whole : usual;
}
