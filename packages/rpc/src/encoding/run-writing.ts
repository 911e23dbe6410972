import type { Yielder } from '@monero-node/base';
import type { Writing } from '@monero-node/codec/portable-storage';

/**
 * Carries a writing on until it ends or `isEnough`, resting when its turn is over and fetching what it waits for. Returns
 * whether it has ended. Rejects with the error of a lazy list.
 */
export async function runWriting(
  writing: Writing,
  yielder: Yielder,
  isEnough: () => boolean = () => false,
): Promise<boolean> {
  let fetched: unknown;
  for (;;) {
    const step = writing.next(fetched);
    if (step.done === true) return true;
    fetched = step.value === undefined ? undefined : await step.value;
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    // A writing that waits for something must get it first.
    if (step.value === undefined && isEnough()) return false;
  }
}
