import type { TreeArithmetic } from '../tree/arithmetic.ts';
import { generatorsOf, hashGrow, type NodeArithmetic } from '../tree/hash.ts';
import { leavesOf } from '../tree/leaf.ts';
import { wasmCycleSum } from './cycle-sum.ts';
import { wasmEdArithmetic } from './ed-arithmetic.ts';
import { FcmpModule } from './module.ts';
import { wasmSquareRoot } from './powers.ts';

const NOTHING_ELSE = { g: 0n, h: 0n, G: [], H: [] };

/**
 * Returns the arithmetic of trees in WebAssembly. It holds memory of its own, so keep one for each thread.
 *
 * Throws BackendUnavailable where there is no WebAssembly or a page's policy forbids to compile it.
 */
export function createWasmTreeArithmetic(): TreeArithmetic {
  const module = new FcmpModule();
  const onEd = wasmEdArithmetic(module);
  const onCycle: NodeArithmetic = {
    squareRoot: (value, prime) => wasmSquareRoot(module, value, prime),
    sum: (curve, first, scalars) => {
      const generators = generatorsOf(curve);
      const points = generators.G(first + scalars.length).slice(first);
      return wasmCycleSum(module, generators, { points, scalars, ...NOTHING_ELSE });
    },
  };
  return {
    name: 'wasm',
    leavesOf: (outputs) => leavesOf(outputs, onEd),
    grow: (changes) => changes.map((change) => hashGrow(change, onCycle)),
  };
}
