import * as format from './format.ts';
import type { DiskFacts, UpdateFacts } from './state/messages.ts';

/** Stripes into which a network of pruned nodes divides the old blocks. */
const STRIPES = 8;

/** Returns what is said beside the bytes that the chain takes. */
export function diskText({ freeBytes, stripe }: DiskFacts): string {
  const free = freeBytes === null ? 'used' : `used, ${format.bytes(freeBytes)} free`;
  return stripe === null
    ? `${free}, not pruned`
    : `${free}, pruned (stripe ${stripe} of ${STRIPES})`;
}

/**
 * Returns what is said beside the version of the program.
 *
 * @param now Unix milliseconds
 */
export function updateText(update: UpdateFacts, now: number): string {
  const { checkedAt, failure, isChecking, newer } = update;
  if (newer !== null) return `${newer} is available`;
  if (checkedAt !== null) {
    const ago = `${format.shortDuration(now / 1000 - checkedAt)} ago`;
    return failure === null
      ? `the newest, compared ${ago}`
      : `the newest when compared ${ago}; since then: ${failure}`;
  }
  if (failure !== null) return `not compared: ${failure}`;
  return isChecking ? 'looking for a newer one' : 'not compared: checks are off';
}

/** The seconds of a ban without end, as `get_bans` has them: those of a ban list last until the list changes. */
const ENDLESS = 2 ** 32 - 1;

/** Returns how long a ban lasts. @param seconds as `get_bans` has them */
export function banText(seconds: number): string {
  return seconds === ENDLESS ? 'for good, by a ban list' : `for ${format.shortDuration(seconds)}`;
}
