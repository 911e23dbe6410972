import { formatDuration } from '../runtime/sync-progress.ts';

/** Seconds by which the clock may be slow: miners do not set their clocks ahead. */
export const SLOW_LIMIT = 300;
/** Seconds by which the clock may be fast. Two minutes more: a block has the time at which its template was made. */
const FAST_LIMIT = 420;

/** What to do about a wrong clock. */
export const SET_CLOCK = 'Set the clock; a time service such as chrony keeps it right.';

/**
 * Returns how wrong this computer's clock is, as a sentence; undefined while it is right.
 *
 * @param offset seconds by which the newest blocks are ahead of the clock when they arrive
 */
export function clockSentence(offset: number): string | undefined {
  if (offset <= SLOW_LIMIT && offset >= -FAST_LIMIT) return undefined;
  const by = formatDuration(Math.abs(offset));
  return `This computer's clock is about ${by} ${offset > 0 ? 'slow' : 'fast'}, compared with the times of the newest blocks.`;
}
