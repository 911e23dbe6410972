import { availableParallelism, loadavg } from 'node:os';

/** Warns if other programs kept the machine busy; the benchmark itself uses at most all processors. */
export function warnWhenBusy() {
  const [load] = loadavg();
  if (load <= availableParallelism() + 1) return;
  console.log(
    `\nThe load of this machine was ${load.toFixed(1)} in the last minute: these figures are not to be trusted.`,
  );
}
