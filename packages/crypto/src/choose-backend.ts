import { loadNativeBackend } from './native/backend.ts';
import { createReferenceBackend } from './reference/backend.ts';
import type { CryptoBackend } from './types.ts';
import { loadWasmBackend } from './wasm/backend.ts';

/** `auto` takes the fastest that works here. */
export const BACKEND_CHOICES = ['auto', 'native', 'wasm', 'reference'] as const;
export type BackendChoice = (typeof BACKEND_CHOICES)[number];

/** A backend that was asked for by name does not work on this machine. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
}

/** Makers of backends, fastest first; undefined where one does not work. */
const MAKERS: readonly [BackendChoice, () => CryptoBackend | undefined][] = [
  ['native', loadNativeBackend],
  ['wasm', loadWasmBackend],
  ['reference', createReferenceBackend],
];

/**
 * A backend of this thread.
 *
 * @throws BackendUnavailableError when the one asked for does not work here.
 */
export function createBackend(choice: BackendChoice = 'auto'): CryptoBackend {
  for (const [name, make] of MAKERS) {
    if (choice !== 'auto' && choice !== name) continue;
    const backend = make();
    if (backend !== undefined) return backend;
  }
  throw new BackendUnavailableError(
    choice === 'native'
      ? 'the native crypto backend is not available here: it needs a C++ compiler at set-up'
      : `the ${choice} crypto backend is not available here: the package is not built`,
  );
}

/** How a backend is named in the log: with the code path it takes, where it has several. */
export function describeBackend(backend: CryptoBackend): string {
  return backend.detail === undefined ? backend.name : `${backend.name} (${backend.detail})`;
}
