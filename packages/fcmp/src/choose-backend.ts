import { createNativeBackend } from '#native';
import { checkArgument, checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { BackendUnavailable, type FcmpBackend } from './backend/backend.ts';
import { REFERENCE_BACKEND } from './backend/reference.ts';

/** `auto` takes the fastest backend that works on this machine. */
export const FCMP_BACKEND_CHOICES = ['auto', 'native', 'reference'] as const;
export type FcmpBackendChoice = (typeof FCMP_BACKEND_CHOICES)[number];

/** Options of {@link createFcmpBackend} and of `createTreeArithmetic`. */
export interface NativeOrReferenceOptions<T> {
  /** Called with a sentence for the log, without a full stop, when `auto` leaves native code out, as it does not work here. */
  readonly onFallback?: ((reason: string) => void) | undefined;
  /** For tests: another function that creates the native one. */
  readonly native?: (() => T) | undefined;
}

/** Options of {@link createFcmpBackend}. */
export type FcmpBackendOptions = NativeOrReferenceOptions<FcmpBackend>;

const OPTIONS: OptionTable<NativeOrReferenceOptions<unknown>> = {
  onFallback: OPTIONAL,
  native: OPTIONAL,
};

/**
 * Returns what a choice names. `caller` is the function that a message is about.
 *
 * Throws Error when the native one was chosen by name and does not work on this machine, and OptionError for a choice or an option
 * that there is not.
 */
export function nativeOrReference<T>(
  caller: string,
  choice: FcmpBackendChoice,
  options: NativeOrReferenceOptions<T>,
  { createNative, reference }: { readonly createNative: () => T; readonly reference: T },
): T {
  checkArgument(caller, 'choice', choice, { choices: FCMP_BACKEND_CHOICES });
  checkOptions(caller, options, OPTIONS);
  const { onFallback, native = createNative } = options;
  if (choice === 'reference') return reference;
  if (choice === 'native') return native();
  try {
    return native();
  } catch (error) {
    if (!(error instanceof BackendUnavailable)) throw error;
    onFallback?.(error.message);
    return reference;
  }
}

/**
 * Returns a backend for the calling thread; without a choice as for `auto`.
 *
 * Throws Error when the native backend was chosen by name and does not work on this machine, and OptionError for a choice or an option
 * that there is not.
 */
export function createFcmpBackend(
  choice: FcmpBackendChoice = 'auto',
  options: FcmpBackendOptions = {},
): FcmpBackend {
  return nativeOrReference('createFcmpBackend', choice, options, {
    createNative: createNativeBackend,
    reference: REFERENCE_BACKEND,
  });
}

let kept: FcmpBackend | undefined;

/** Returns the backend of those who name none: as for `auto`, chosen once. Tells nobody when that is the reference. */
export function defaultFcmpBackend(): FcmpBackend {
  kept ??= createFcmpBackend();
  return kept;
}
