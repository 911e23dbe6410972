/** An id in hex that no block and no transaction has. */
export const UNKNOWN_HASH = '00'.repeat(32);

/** Returns a list with the item `count` times. */
export const repeat = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
