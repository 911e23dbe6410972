import { loadNativeBackend } from './native/backend.ts';
import { createReferenceBackend } from './reference/backend.ts';
import type { CryptoBackend } from './types.ts';
import { loadWasmBackend } from './wasm/backend.ts';

/** `auto` takes the fastest that works here. */
export const BACKEND_CHOICES = ['auto', 'native', 'wasm', 'reference'] as const;
export type BackendChoice = (typeof BACKEND_CHOICES)[number];

/** What the native backend may use of the processor: `portable` only what every one has. */
export const CPU_CHOICES = ['auto', 'portable'] as const;
export type CpuChoice = (typeof CPU_CHOICES)[number];

/** The environment variable that makes the `CpuChoice` where nothing else does. */
export const CPU_VARIABLE = 'MONERO_NODE_CRYPTO_CPU';

/** A backend that was asked for by name does not work on this machine. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
}

/** Makers of backends; they answer undefined where one does not work. */
export interface BackendMakers {
  native(cpu: CpuChoice): CryptoBackend | undefined;
  wasm(): CryptoBackend | undefined;
  reference(): CryptoBackend;
}

const MAKERS: BackendMakers = {
  native: (cpu) => loadNativeBackend({ ifma: cpu !== 'portable' }),
  wasm: loadWasmBackend,
  reference: createReferenceBackend,
};
const FASTEST_FIRST = ['native', 'wasm', 'reference'] as const;

/**
 * What MONERO_NODE_CRYPTO_CPU says; `auto` if it is not set or empty.
 *
 * @throws BackendUnavailableError for a value that means nothing: a test of a code path must not take another.
 */
export function cpuFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): CpuChoice {
  const value = environment[CPU_VARIABLE] || 'auto';
  const choice = CPU_CHOICES.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw new BackendUnavailableError(
    `${CPU_VARIABLE} is ${value}; it can be ${CPU_CHOICES.join(' or ')}`,
  );
}

/**
 * A backend of this thread.
 *
 * @param cpu what the environment says, unless given.
 * @throws BackendUnavailableError when the one asked for does not work here.
 */
export function createBackend(
  choice: BackendChoice = 'auto',
  cpu: CpuChoice = cpuFromEnvironment(process.env),
  makers: BackendMakers = MAKERS,
): CryptoBackend {
  for (const name of FASTEST_FIRST) {
    if (choice !== 'auto' && choice !== name) continue;
    const backend = makers[name](cpu);
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
