import type { Yielder } from './yielder.ts';

/** Runs steps to their end and returns their result; the event loop gets its turns in between. Throws what they throw. */
export function inSlices<T>(steps: Generator<undefined, T>, yielder: Yielder): T | Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) return pause.then(() => inSlices(steps, yielder));
  }
}

/** Goes on with a value, at once unless it has to be waited for: promises cost more than a small piece of work. */
export function andThen<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Goes on like {@link andThen} with what `start` returns. What it throws or rejects with goes to `failed`; what `next` throws does
 * not, and is thrown or rejected with.
 */
export function settle<T, R>(
  start: () => T | Promise<T>,
  next: (value: T) => R | Promise<R>,
  failed: (error: unknown) => R | Promise<R>,
): R | Promise<R> {
  let value: T | Promise<T>;
  try {
    value = start();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
}
