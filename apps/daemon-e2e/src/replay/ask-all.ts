import type { Listener, ReplayRequest } from './request.ts';

/** Largest number of requests under way at the same time. */
const AT_ONCE = 8;

/**
 * Calls `ask` for every request and listener in order, several at a time. A request that must run alone waits for all
 * before it, and those after it wait for it. Returns the results in order.
 */
export async function askAll<T>(
  requests: readonly ReplayRequest[],
  ask: (request: ReplayRequest, listener: Listener) => Promise<T>,
): Promise<T[]> {
  const results: Promise<T>[] = [];
  const running = new Set<Promise<boolean>>();
  for (const request of requests) {
    for (const listener of request.listeners) {
      if (request.alone === true) await Promise.all(running);
      while (running.size >= AT_ONCE) await Promise.race(running);
      const result = ask(request, listener);
      results.push(result);
      const ended: Promise<boolean> = result
        .catch(() => undefined)
        .then(() => running.delete(ended));
      running.add(ended);
      if (request.alone === true) await ended;
    }
  }
  return Promise.all(results);
}
