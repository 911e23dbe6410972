import { createReferenceBackend } from './reference/backend.ts';
import type { CryptoBackend } from './types.ts';

/** The fastest backend that works here; the one verification workers use. */
export function createDefaultBackend(): CryptoBackend {
  return createReferenceBackend();
}
