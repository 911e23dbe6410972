import { createNativeBackend } from '#native';
import type { FcmpBackend } from './backend/backend.ts';
import { REFERENCE_BACKEND } from './backend/reference.ts';

/** `auto` takes the fastest backend that works on this machine. */
export const FCMP_BACKEND_CHOICES = ['auto', 'native', 'reference'] as const;
export type FcmpBackendChoice = (typeof FCMP_BACKEND_CHOICES)[number];

/** Options of {@link createFcmpBackend}. */
export interface FcmpBackendOptions {
  /** Called with a sentence for the log, without a full stop, when `auto` leaves the native backend out, as it does not work here. */
  readonly onFallback?: ((reason: string) => void) | undefined;
}

/**
 * Returns a backend for the calling thread; without a choice as for `auto`.
 *
 * Throws Error when the native backend was chosen by name and does not work on this machine, and RangeError for a choice that there
 * is not.
 */
export function createFcmpBackend(
  choice: FcmpBackendChoice = 'auto',
  { onFallback }: FcmpBackendOptions = {},
): FcmpBackend {
  if (!FCMP_BACKEND_CHOICES.includes(choice)) {
    throw new RangeError(`${String(choice)} is no backend`);
  }
  if (choice === 'reference') return REFERENCE_BACKEND;
  if (choice === 'native') return createNativeBackend();
  try {
    return createNativeBackend();
  } catch (error) {
    onFallback?.((error as Error).message);
    return REFERENCE_BACKEND;
  }
}

let kept: FcmpBackend | undefined;

/** Returns the backend of those who name none: as for `auto`, chosen once. */
export function defaultFcmpBackend(): FcmpBackend {
  kept ??= createFcmpBackend();
  return kept;
}
