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

/** Runs steps to their end without a turn for anybody else, and returns their result: where little work is to be done. Throws what they throw. */
export function runAtOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
