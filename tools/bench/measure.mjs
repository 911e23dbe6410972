const WARM_UP_MS = 150;
const MEASURE_MS = 900;

/** Median time of one call in microseconds; warms up first. */
export function measure(task) {
  const until = (ms) => {
    const times = [];
    const end = performance.now() + ms;
    do {
      const start = performance.now();
      task();
      times.push(performance.now() - start);
    } while (performance.now() < end);
    return times.sort((a, b) => a - b);
  };
  until(WARM_UP_MS);
  const times = until(MEASURE_MS);
  return 1000 * times[times.length >> 1];
}
