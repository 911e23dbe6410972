import { median } from '../statistics.mjs';
import { present } from '../values.mjs';

/**
 * Microseconds of a call: the median of many, and the fastest.
 *
 * @typedef {{ median: number, best: number }} Time
 */

const WARM_UP_MS = 150;
const MEASURE_MS = 900;
/** Least number of calls, so that one outlier does not determine the figure of a slow case. */
const FEWEST_CALLS = 3;

/**
 * Warms up, then returns the time of a call in microseconds, `{ median, best }`.
 *
 * @param {() => unknown} task
 */
export async function measure(task) {
  /** @type {(ms: number, fewest: number) => Promise<number[]>} */
  const callFor = async (ms, fewest) => {
    const times = [];
    const end = performance.now() + ms;
    do {
      const start = performance.now();
      // The time of a synchronous task must not include a turn of the event loop.
      const pending = task();
      if (pending) await pending;
      times.push(performance.now() - start);
    } while (performance.now() < end || times.length < fewest);
    return times.sort((a, b) => a - b);
  };
  await callFor(WARM_UP_MS, 1);
  const times = await callFor(MEASURE_MS, FEWEST_CALLS);
  return { median: 1000 * median(times), best: 1000 * present(times[0]) };
}
