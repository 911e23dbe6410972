/**
 * Reads a part of a document in steps, so that the caller can let other work run between them.
 */
export type Reading<T> = Generator<undefined, T, undefined>;

/** Units of work in one step: entries, strings, nested sections and list items. About a millisecond. */
export const UNITS_PER_STEP = 1024;

/** Reads to the end without a pause. Throws what the steps throw. */
export function readAtOnce<T>(reading: Reading<T>): T {
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}
