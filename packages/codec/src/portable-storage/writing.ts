/**
 * A piece of writing that stops now and then, so that the caller can let other work run. It stops either with
 * nothing or with a promise whose result it wants back.
 */
export type Writing = Generator<Promise<unknown> | undefined, void, unknown>;

/** Items written between two stops. */
export const ITEMS_PER_STEP = 512;

/** Runs a writing to its end without a pause. Throws TypeError when it has to wait for a lazy list. */
export function finishNow(writing: Writing): void {
  for (let step = writing.next(); step.done !== true; step = writing.next()) {
    if (step.value !== undefined) throw new TypeError('a lazy list cannot be written at once');
  }
}
