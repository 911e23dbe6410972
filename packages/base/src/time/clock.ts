/** Returns milliseconds: since the Unix epoch, or of a clock that measures durations only. */
export type MillisecondClock = () => number;

/** Returns the current time in whole seconds since the Unix epoch. */
export type SecondClock = () => number;

/** Returns the system's time in milliseconds since the Unix epoch. */
export const systemMilliseconds: MillisecondClock = () => Date.now();

/** Returns the system's time in whole seconds since the Unix epoch, rounded down. */
export const systemSeconds: SecondClock = () => Math.floor(Date.now() / 1000);

/**
 * Returns milliseconds that never go back or jump, unlike the system's time: use them for durations and schedules. They
 * begin with the system's time at the start of the process, so whole seconds begin when those of the system do.
 */
export const monotonicMilliseconds: MillisecondClock = () =>
  performance.timeOrigin + performance.now();
