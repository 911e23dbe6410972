import { createNativeBackend } from '#native';
import { checkArgument, checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import {
  BACKEND_CHOICES,
  CPU_CHOICES,
  CPU_VARIABLE,
  type BackendChoice,
  type CpuChoice,
} from './choices.ts';
import { createReferenceBackend } from './reference/backend.ts';
import type { CryptoBackend } from './types.ts';
import { createWasmBackend } from './wasm/backend.ts';

/** Thrown when a backend chosen by name does not work on this machine. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
  readonly code = 'unavailable';
}

/** Functions that create the backends; they throw when one does not work here. */
export interface BackendMakers {
  native(cpu: CpuChoice): CryptoBackend;
  wasm(): CryptoBackend;
  reference(): CryptoBackend;
}

const MAKERS: BackendMakers = {
  native: (cpu) => createNativeBackend(cpu === 'auto' ? {} : { path: cpu }),
  wasm: () => createWasmBackend(),
  reference: createReferenceBackend,
};
const FASTEST_FIRST = ['native', 'wasm', 'reference'] as const;

/** A backend that does not work here, so that a slower one takes its place. */
export interface BackendFallback {
  readonly missing: 'native' | 'wasm' | 'reference';
  /** A sentence for the log, without a full stop. */
  readonly reason: string;
}

/** Options of {@link createBackend}. */
export interface BackendOptions {
  /** By default the value in the environment. */
  readonly cpu?: CpuChoice | undefined;
  /** Called for each backend that `auto` leaves out because it does not work here. Browsers have no native one. */
  readonly onFallback?: ((fallback: BackendFallback) => void) | undefined;
  /** For tests: other functions that create the backends. */
  readonly makers?: BackendMakers | undefined;
}

const OPTIONS: OptionTable<BackendOptions> = {
  cpu: { optional: true, choices: CPU_CHOICES },
  onFallback: OPTIONAL,
  makers: OPTIONAL,
};

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
    `${CPU_VARIABLE} is ${value}; it can be ${CPU_CHOICES.join(', ')}`,
  );
}

/** Returns the choice in the environment of this process. Browsers have none. Throws BackendUnavailableError. */
export function defaultCpu(): CpuChoice {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return cpuFromEnvironment(process?.env ?? {});
}

/**
 * Returns a backend for the calling thread; without a choice as for `auto`.
 *
 * Throws BackendUnavailableError when the chosen backend does not work on this machine, and OptionError for one that there is not.
 */
export function createBackend(choice?: BackendChoice, options: BackendOptions = {}): CryptoBackend {
  checkArgument('createBackend', 'choice', choice, { optional: true, choices: BACKEND_CHOICES });
  checkOptions('createBackend', options, OPTIONS);
  const { cpu = defaultCpu(), onFallback, makers = MAKERS } = options;
  if (choice !== undefined && choice !== 'auto') return createChosen(choice, cpu, makers);
  for (const name of FASTEST_FIRST) {
    try {
      return makers[name](cpu);
    } catch (error) {
      onFallback?.({ missing: name, reason: (error as Error).message });
    }
  }
  throw new BackendUnavailableError('no crypto backend works here');
}

function createChosen(
  choice: Exclude<BackendChoice, 'auto'>,
  cpu: CpuChoice,
  makers: BackendMakers,
): CryptoBackend {
  try {
    return makers[choice](cpu);
  } catch (cause) {
    const { message } = cause as Error;
    throw new BackendUnavailableError(
      `the ${choice} crypto backend is not available here: ${message}`,
      { cause },
    );
  }
}

/** Returns the name of a backend for the log, with its code path if it has several. */
export function describeBackend(backend: CryptoBackend): string {
  return backend.detail === undefined ? backend.name : `${backend.name} (${backend.detail})`;
}
