/** Longest interval of Node's timers, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns the milliseconds between two signs of life: half of WATCHDOG_USEC, which is in microseconds. Returns undefined when
 * the service manager does not watch, or watches another process. Source: sd_watchdog_enabled(3).
 */
export function watchdogInterval(environment: NodeJS.ProcessEnv, pid: number): number | undefined {
  const { WATCHDOG_USEC: time = '', WATCHDOG_PID: watched = '' } = environment;
  if (!/^\d+$/.test(time) || (watched !== '' && watched !== String(pid))) return undefined;
  const interval = Math.floor(Number(time) / 2000);
  return interval === 0 ? undefined : Math.min(interval, LONGEST);
}
