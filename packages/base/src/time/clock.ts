/** Returns the current time in milliseconds since the Unix epoch, or since the process started. */
export type MillisecondClock = () => number;

/** Returns the current time in whole seconds since the Unix epoch. */
export type SecondClock = () => number;

/** Returns the system's time in milliseconds since the Unix epoch. */
export const systemMilliseconds: MillisecondClock = () => Date.now();

/** Returns the system's time in whole seconds since the Unix epoch, rounded down. */
export const systemSeconds: SecondClock = () => Math.floor(Date.now() / 1000);

/**
 * Returns the milliseconds since the process started. Unlike the system's time, it never goes back or jumps: use it for
 * durations and schedules.
 */
export const monotonicMilliseconds: MillisecondClock = () => performance.now();
