import { createNativeTreeArithmetic } from '#native-tree';
import {
  nativeOrReference,
  type FcmpBackendChoice,
  type NativeOrReferenceOptions,
} from './choose-backend.ts';
import { REFERENCE_TREE_ARITHMETIC, type TreeArithmetic } from './tree/arithmetic.ts';

/** Options of {@link createTreeArithmetic}. */
export type TreeArithmeticOptions = NativeOrReferenceOptions<TreeArithmetic>;

/**
 * Returns the arithmetic of trees for the calling thread; `auto` takes the fastest that works on this machine. The native one makes its
 * tables at once: some 90 ms for the first in a process.
 *
 * Throws Error when the native one was chosen by name and does not work on this machine, and OptionError for a choice or an option that
 * there is not.
 */
export function createTreeArithmetic(
  choice: FcmpBackendChoice = 'auto',
  options: TreeArithmeticOptions = {},
): TreeArithmetic {
  return nativeOrReference('createTreeArithmetic', choice, options, {
    createNative: createNativeTreeArithmetic,
    reference: REFERENCE_TREE_ARITHMETIC,
  });
}
