import { jest } from '@jest/globals';
import { settle } from '@monero-node/base/testing';

/** Timers and the clock stop from now on; `jest.useRealTimers` undoes it. */
export function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
}

/** Turns of the event loop in which nodes in memory exchange all their messages. */
const TALK = 50;

/** Advances the fake clock by `ms` milliseconds, and lets nodes in memory exchange all their messages. */
export async function pass(ms: number): Promise<void> {
  await settle(TALK);
  await jest.advanceTimersByTimeAsync(ms);
  await settle(TALK);
}

/** Lets time pass, a second at a time, until a condition holds; fails after a minute of it. */
export async function passUntil(condition: () => boolean): Promise<void> {
  await settle(TALK);
  for (let i = 0; i < 60 && !condition(); i++) await pass(1000);
  if (!condition()) throw new Error('the condition never came true');
}
