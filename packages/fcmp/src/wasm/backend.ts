import type { FcmpBackend } from '../backend/backend.ts';
import { REFERENCE_BACKEND } from '../backend/reference.ts';
import { WasmCycleSum } from './cycle-sum.ts';

/**
 * Returns the backend that adds up multiples of points of Helios and Selene in WebAssembly; all else is the reference's. It holds
 * memory of its own, so keep one for each thread.
 *
 * Throws BackendUnavailable where there is no WebAssembly or a page's policy forbids to compile it.
 */
export function createWasmBackend(): FcmpBackend {
  const sums = new WasmCycleSum();
  return {
    ...REFERENCE_BACKEND,
    name: 'wasm',
    sum: (generators, terms) => sums.sum(generators, terms),
  };
}
