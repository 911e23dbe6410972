import type { FcmpBackend } from '../backend/backend.ts';
import { REFERENCE_BACKEND } from '../backend/reference.ts';
import { decodePoint, IDENTITY_IN_PROOFS } from '../curves/helios-selene.ts';
import { wasmCycleSum } from './cycle-sum.ts';
import { FcmpModule } from './module.ts';
import { wasmSquareRoot } from './powers.ts';

/**
 * Returns the backend that adds up multiples of points of Helios and Selene and takes square roots in WebAssembly; all else is the
 * reference's. It holds memory of its own, so keep one for each thread.
 *
 * Throws BackendUnavailable where there is no WebAssembly or a page's policy forbids to compile it.
 */
export function createWasmBackend(): FcmpBackend {
  const module = new FcmpModule();
  const squareRoot = (value: bigint, prime: bigint): bigint | undefined =>
    wasmSquareRoot(module, value, prime);
  return {
    ...REFERENCE_BACKEND,
    name: 'wasm',
    decodePoint: (curve, bytes) => decodePoint(curve, bytes, IDENTITY_IN_PROOFS, squareRoot),
    squareRoot,
    sum: (generators, terms) => wasmCycleSum(module, generators, terms),
  };
}
