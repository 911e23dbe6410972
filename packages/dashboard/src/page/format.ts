const INTEGER = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const ATOMIC_UNITS = 1e12;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Returns a whole number in groups of three digits. */
export const grouped = (value: number): string => INTEGER.format(value);

/** Returns a number with three significant digits, and a prefix such as `k` or `M`. */
function scaled(value: number, unit: string, prefixes: readonly string[]): string {
  let rest = value;
  let i = 0;
  while (rest >= 999.5 && i < prefixes.length - 1) {
    rest /= 1000;
    i++;
  }
  const digits = i === 0 ? 0 : rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
  return `${rest.toFixed(digits)} ${prefixes[i]}${unit}`;
}

/** Returns a number of bytes, such as `1.24 MB`. */
export const bytes = (value: number): string => scaled(value, 'B', ['', 'k', 'M', 'G', 'T']);

/** Returns bytes per second. */
export const byteRate = (value: number): string => `${bytes(value)}/s`;

/** Returns hashes per second. */
export const hashRate = (value: number): string =>
  scaled(value, 'H/s', ['', 'k', 'M', 'G', 'T', 'P']);

/** Returns a count that may be large, such as `412 G`. */
export const short = (value: number): string =>
  scaled(value, '', ['', 'k', 'M', 'G', 'T', 'P', 'E']).trim();

/** Returns an amount in XMR. @param atomic atomic units */
export function xmr(atomic: number, digits: number): string {
  return (atomic / ATOMIC_UNITS).toFixed(digits);
}

/** Returns a small amount in XMR with two significant digits. @param atomic atomic units */
export function smallXmr(atomic: number): string {
  const value = atomic / ATOMIC_UNITS;
  if (value === 0) return '0';
  const digits = Math.max(2, 1 - Math.floor(Math.log10(value)));
  return value.toFixed(Math.min(12, digits));
}

/** Returns a ratio in percent. @param ratio null when unknown */
export const percent = (ratio: number | null): string =>
  ratio === null ? '–' : `${grouped(100 * ratio)} %`;

/** Returns a time span in its two largest units. @param seconds not negative */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`;
  if (whole < DAY)
    return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}

/** Returns a time span in its largest unit. @param seconds not negative */
export function shortDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  return whole < DAY ? `${Math.floor(whole / HOUR)} h` : `${grouped(Math.floor(whole / DAY))} d`;
}

/** Returns a round trip. @param milliseconds null when unknown */
export function roundTrip(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  return milliseconds < 1 ? '< 1 ms' : `${grouped(milliseconds)} ms`;
}

/** Returns the time of day. @param milliseconds Unix time */
export function clockTime(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString('en-GB', { hour12: false });
}

/**
 * Returns a moment of a chart: the time of day, or with points an hour or more apart the date too.
 *
 * @param seconds Unix time
 * @param step seconds between the points
 * @param isShort whether there is no room for both
 */
export function momentOf(seconds: number, step: number, isShort = false): string {
  const date = new Date(seconds * 1000);
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (step < HOUR) return time;
  return isShort ? day : `${day}, ${time}`;
}

/** Returns the beginning and the end of a long text. */
export function abridged(text: string, kept: number): string {
  return text.length <= 2 * kept + 1 ? text : `${text.slice(0, kept)}…${text.slice(-kept)}`;
}
