const DECIMALS = 12;

/** Returns an amount, given in atomic units, in XMR with its twelve decimals: `0.000001200000`. */
export function money(atomic: bigint): string {
  const digits = atomic.toString().padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** Returns an integer that an answer holds as `0x` and hex digits, for example `wide_difficulty`; 0 for any other text. */
export function wideInteger(text: string): bigint {
  return /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : 0n;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a number of bytes as `0 B` or `8.00 MB`. A kB has 1024 bytes here. */
export function byteCount(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(unit === 0 ? 0 : 2)} ${BYTE_UNITS[unit] ?? ''}`;
}

const SPANS: readonly (readonly [below: number, unit: number, name: string])[] = [
  [3600, 60, 'minutes'],
  [86_400, 3600, 'hours'],
  [86_400 * 30.5, 86_400, 'days'],
  [86_400 * 365.25, 86_400 * 30.5, 'months'],
  [86_400 * 365.25 * 100, 86_400 * 365.25, 'years'],
];

/** Returns a time span, given in seconds, as `16 seconds` or `1.5 hours`. */
export function timeSpan(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const span = SPANS.find(([below]) => seconds < below);
  return span === undefined ? 'a long time' : `${(seconds / span[1]).toFixed(1)} ${span[2]}`;
}

/** Returns how far a time is from `now`, both in Unix seconds, in whole units: `2 hours ago`. */
export function timeAgo(time: number, now: number): string {
  if (time === now) return 'now';
  const passed = Math.abs(now - time);
  const side = time > now ? 'in the future' : 'ago';
  const inUnits = (unit: number, name: string): string =>
    `${Math.floor(passed / unit)} ${name} ${side}`;
  if (passed < 90) return inUnits(1, 'seconds');
  if (passed < 90 * 60) return inUnits(60, 'minutes');
  return passed < 36 * 3600 ? inUnits(3600, 'hours') : inUnits(86_400, 'days');
}

/** Returns a time, given in Unix seconds, as `2026-11-20 23:40:13` in UTC. */
export function timestamp(seconds: number): string {
  if (seconds < 1_234_567_890) return '<unknown>';
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns a time span, given in seconds, as `0d 0h 0m 44s`. */
export function uptime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor(whole / 3600) % 24;
  return `${days}d ${hours}h ${Math.floor(whole / 60) % 60}m ${whole % 60}s`;
}

/** Returns a time span, given in seconds, as `01:50:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const HASH_UNITS = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;

/** Returns a rate, given in hashes per second, as `0 H/s` or `2.51 GH/s`. */
export function hashesPerSecond(perSecond: bigint): string {
  let value = Number(perSecond);
  let unit = 0;
  while (value >= 1000 && unit < HASH_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return unit === 0 ? `${value} H/s` : `${value.toFixed(2)} ${HASH_UNITS[unit] ?? ''}H/s`;
}
