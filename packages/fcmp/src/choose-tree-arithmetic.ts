import { createNativeTreeArithmetic } from '#native-tree';
import { checkArgument, checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import {
  type ChoiceOptions,
  chosenOrFastest,
  FCMP_BACKEND_CHOICES,
  type FcmpBackendChoice,
} from './choose-backend.ts';
import { REFERENCE_TREE_ARITHMETIC, type TreeArithmetic } from './tree/arithmetic.ts';
import { createWasmTreeArithmetic } from './wasm/tree-arithmetic.ts';

/** Options of {@link createTreeArithmetic}. */
export type TreeArithmeticOptions = ChoiceOptions<TreeArithmetic>;

const OPTIONS: OptionTable<TreeArithmeticOptions> = {
  onFallback: OPTIONAL,
  native: OPTIONAL,
  wasm: OPTIONAL,
};

/**
 * Returns the arithmetic of trees for the calling thread; `auto` takes the fastest that works on this machine. The native one makes its
 * tables at once: some 90 ms for the first in a process.
 *
 * Throws Error when one was chosen by name and does not work on this machine, and OptionError for a choice or an option that
 * there is not.
 */
export function createTreeArithmetic(
  choice: FcmpBackendChoice = 'auto',
  options: TreeArithmeticOptions = {},
): TreeArithmetic {
  checkArgument('createTreeArithmetic', 'choice', choice, { choices: FCMP_BACKEND_CHOICES });
  checkOptions('createTreeArithmetic', options, OPTIONS);
  const { onFallback, native = createNativeTreeArithmetic } = options;
  const { wasm = createWasmTreeArithmetic } = options;
  const candidates = [
    { name: 'native', create: native },
    { name: 'wasm', create: wasm },
  ];
  return chosenOrFastest(choice, candidates, REFERENCE_TREE_ARITHMETIC, onFallback);
}
