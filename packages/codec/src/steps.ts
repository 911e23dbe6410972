/** Work in steps of at most about a millisecond, so that the caller can let other work run between them. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs steps to their end without a pause and returns their result. Throws what they throw. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
