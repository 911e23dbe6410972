import { createNativeTreeArithmetic } from '#native-tree';
import { checkArgument, checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { BackendUnavailable } from './backend/backend.ts';
import { FCMP_BACKEND_CHOICES, type FcmpBackendChoice } from './choose-backend.ts';
import { REFERENCE_TREE_ARITHMETIC, type TreeArithmetic } from './tree/arithmetic.ts';

/** Options of {@link createTreeArithmetic}. */
export interface TreeArithmeticOptions {
  /** Called with a sentence for the log, without a full stop, when `auto` leaves native code out, as it does not work here. */
  readonly onFallback?: ((reason: string) => void) | undefined;
  /** For tests: another function that creates the native one. */
  readonly native?: (() => TreeArithmetic) | undefined;
}

const OPTIONS: OptionTable<TreeArithmeticOptions> = { onFallback: OPTIONAL, native: OPTIONAL };

/**
 * Returns the arithmetic of trees for the calling thread; `auto` takes the fastest that works on this machine. The native one makes its
 * tables at once: 30 ms for the first in a process.
 *
 * Throws Error when the native one was chosen by name and does not work on this machine, and OptionError for a choice or an option that
 * there is not.
 */
export function createTreeArithmetic(
  choice: FcmpBackendChoice = 'auto',
  options: TreeArithmeticOptions = {},
): TreeArithmetic {
  checkArgument('createTreeArithmetic', 'choice', choice, { choices: FCMP_BACKEND_CHOICES });
  checkOptions('createTreeArithmetic', options, OPTIONS);
  const { onFallback, native = createNativeTreeArithmetic } = options;
  if (choice === 'reference') return REFERENCE_TREE_ARITHMETIC;
  if (choice === 'native') return native();
  try {
    return native();
  } catch (error) {
    if (!(error instanceof BackendUnavailable)) throw error;
    onFallback?.(error.message);
    return REFERENCE_TREE_ARITHMETIC;
  }
}
