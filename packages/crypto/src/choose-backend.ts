import { loadNativeBackend } from './native/backend.ts';
import { createReferenceBackend } from './reference/backend.ts';
import type { CryptoBackend } from './types.ts';
import { loadWasmBackend } from './wasm/backend.ts';

/** `auto` takes the fastest backend that works on this machine. */
export const BACKEND_CHOICES = ['auto', 'native', 'wasm', 'reference'] as const;
export type BackendChoice = (typeof BACKEND_CHOICES)[number];

/** The processor features that the native backend may use; `portable` rules out all optional ones. */
export const CPU_CHOICES = ['auto', 'portable'] as const;
export type CpuChoice = (typeof CPU_CHOICES)[number];

/** The environment variable with the default `CpuChoice`. */
export const CPU_VARIABLE = 'MONERO_NODE_CRYPTO_CPU';

/** Thrown when a backend chosen by name does not work on this machine. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
}

/** Functions that create the backends; they return undefined when one does not work. */
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
 * Returns the value of MONERO_NODE_CRYPTO_CPU; `auto` if it is not set or empty.
 *
 * Throws BackendUnavailableError for an unknown value, so that a test of one code path never runs another.
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
 * Returns a backend for the calling thread.
 *
 * @param cpu by default the value in the environment
 * Throws BackendUnavailableError when the chosen backend does not work on this machine.
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

/** Returns the name of a backend for the log, with its code path if it has several. */
export function describeBackend(backend: CryptoBackend): string {
  return backend.detail === undefined ? backend.name : `${backend.name} (${backend.detail})`;
}
