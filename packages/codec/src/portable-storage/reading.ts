import type { Steps } from '../steps.ts';

/** Reads a part of a document in steps. */
export type Reading<T> = Steps<T>;

/** Units of work in one step: entries, strings, nested sections and list items. About a millisecond. */
export const UNITS_PER_STEP = 1024;
