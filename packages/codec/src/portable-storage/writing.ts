/**
 * Writes a part of a document in steps, so that the caller can let other work run between them. A step ends
 * with undefined, or with a promise whose result the next step needs.
 */
export type Writing = Generator<Promise<unknown> | undefined, void, unknown>;

/** List items that one step writes. */
export const ITEMS_PER_STEP = 512;

/** Objects without lists that one step writes. */
export const OBJECTS_PER_STEP = 32;
