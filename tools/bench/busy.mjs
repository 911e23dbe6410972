import { availableParallelism, loadavg } from 'node:os';

/** Says so when more ran on the machine than this benchmark, which uses all processors at most. */
export function warnWhenBusy() {
  const [load] = loadavg();
  if (load <= availableParallelism() + 1) return;
  console.log(
    `\nThe load of this machine was ${load.toFixed(1)} in the last minute: these figures are not to be trusted.`,
  );
}
