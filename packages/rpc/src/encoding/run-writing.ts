import type { Yielder } from '@monero-node/base';
import type { Writing } from '@monero-node/codec/portable-storage';

/**
 * Carries a writing on until it ends or `isEnough`, resting when its turn is over and fetching what it waits for. Returns
 * whether it has ended, or a promise of that if there is anything to wait for. Throws, or rejects with, the error of a value
 * that can't be written; rejects with the error of a lazy list.
 */
export function runWriting(
  writing: Writing,
  yielder: Yielder,
  isEnough: () => boolean = () => false,
): boolean | Promise<boolean> {
  for (;;) {
    const step = writing.next();
    if (step.done === true) return true;
    const pause = step.value === undefined ? yielder.yieldIfDue() : undefined;
    if (step.value !== undefined || pause !== undefined) {
      return waitAndRun({ writing, yielder, isEnough }, step.value, pause);
    }
    if (isEnough()) return false;
  }
}

interface Run {
  readonly writing: Writing;
  readonly yielder: Yielder;
  readonly isEnough: () => boolean;
}

/** Goes on from a step that waits for `wanted`, or after which it rests. */
async function waitAndRun(
  { writing, yielder, isEnough }: Run,
  wanted: Promise<unknown> | undefined,
  rest: Promise<void> | undefined,
): Promise<boolean> {
  let fetched = await wanted;
  await (rest ?? yielder.yieldIfDue());
  // A writing that waits for something must get it first.
  if (wanted === undefined && isEnough()) return false;
  for (;;) {
    const step = writing.next(fetched);
    if (step.done === true) return true;
    fetched = step.value === undefined ? undefined : await step.value;
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    if (step.value === undefined && isEnough()) return false;
  }
}
