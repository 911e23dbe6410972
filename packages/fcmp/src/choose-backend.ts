import { createNativeBackend } from '#native';
import { checkArgument, checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { BackendUnavailable, type FcmpBackend } from './backend/backend.ts';
import { REFERENCE_BACKEND } from './backend/reference.ts';
import { createWasmBackend } from './wasm/backend.ts';

/** `auto` takes the fastest backend that works on this machine: they stand in this order. */
export const FCMP_BACKEND_CHOICES = ['auto', 'native', 'wasm', 'reference'] as const;
export type FcmpBackendChoice = (typeof FCMP_BACKEND_CHOICES)[number];

/** Options of {@link createFcmpBackend} and of `createTreeArithmetic`. */
export interface ChoiceOptions<T> {
  /** Called with a sentence for the log, without a full stop, when `auto` leaves native code out, as it does not work here. */
  readonly onFallback?: ((reason: string) => void) | undefined;
  /** For tests: another function that creates the native one. */
  readonly native?: (() => T) | undefined;
  /** For tests: another function that creates the one in WebAssembly. */
  readonly wasm?: (() => T) | undefined;
}

/** Options of {@link createFcmpBackend}. */
export type FcmpBackendOptions = ChoiceOptions<FcmpBackend>;

const OPTIONS: OptionTable<FcmpBackendOptions> = {
  onFallback: OPTIONAL,
  native: OPTIONAL,
  wasm: OPTIONAL,
};

/** Something that may not work on this machine. */
interface Candidate<T> {
  readonly name: string;
  /** Throws BackendUnavailable. */
  readonly create: () => T;
}

/**
 * Returns the candidate that a choice names, or for `auto` the first that works, or else the reference. `onFallback` is told why those
 * before it did not.
 *
 * Throws what the chosen one throws, and what any throws other than BackendUnavailable.
 */
export function chosenOrFastest<T>(
  choice: string,
  candidates: readonly Candidate<T>[],
  reference: T,
  onFallback?: (reason: string) => void,
): T {
  if (choice === 'reference') return reference;
  const named = candidates.find(({ name }) => name === choice);
  if (named !== undefined) return named.create();
  const reasons: string[] = [];
  const tell = (): void => {
    if (reasons.length > 0) onFallback?.(reasons.join('; '));
  };
  for (const { create } of candidates) {
    try {
      const made = create();
      tell();
      return made;
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error;
      reasons.push(error.message);
    }
  }
  tell();
  return reference;
}

/**
 * Returns a backend for the calling thread; without a choice as for `auto`.
 *
 * Throws Error when a backend was chosen by name and does not work on this machine, and OptionError for a choice or an option
 * that there is not.
 */
export function createFcmpBackend(
  choice: FcmpBackendChoice = 'auto',
  options: FcmpBackendOptions = {},
): FcmpBackend {
  checkArgument('createFcmpBackend', 'choice', choice, { choices: FCMP_BACKEND_CHOICES });
  checkOptions('createFcmpBackend', options, OPTIONS);
  const { onFallback, native = createNativeBackend, wasm = createWasmBackend } = options;
  const candidates = [
    { name: 'native', create: native },
    { name: 'wasm', create: wasm },
  ];
  return chosenOrFastest(choice, candidates, REFERENCE_BACKEND, onFallback);
}

let kept: FcmpBackend | undefined;

/** Returns the backend of those who name none: as for `auto`, chosen once. Tells nobody when that is not native code. */
export function defaultFcmpBackend(): FcmpBackend {
  kept ??= createFcmpBackend();
  return kept;
}
