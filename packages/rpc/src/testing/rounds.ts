import { setImmediate as eventLoopRound } from 'node:timers/promises';

/** Rounds of the event loop in which work that goes on shows itself. */
const ROUNDS = 100;

/** Resolves when a condition holds. A test that waits in vain fails by its time limit. */
export async function onceTrue(condition: () => boolean): Promise<void> {
  while (!condition()) await eventLoopRound();
}

/** Resolves with a count of this process's work when the work has stopped, because there is no more of it or because it waits. */
export async function atRest(count: () => number): Promise<number> {
  let before = NaN;
  for (let rounds = 0; rounds < ROUNDS; rounds++) {
    if (count() !== before) rounds = 0;
    before = count();
    await eventLoopRound();
  }
  return before;
}
