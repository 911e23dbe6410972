import { BackendUnavailable, type FcmpBackend } from '../backend/backend.ts';
import type { TreeArithmetic } from '../tree/arithmetic.ts';

const REASON = 'this JavaScript engine loads no native code';

/** Takes the place of backend.ts where there is no native code, such as in browsers. Throws BackendUnavailable. */
export function createNativeBackend(): FcmpBackend {
  throw new BackendUnavailable(REASON);
}

/** Takes the place of tree-arithmetic.ts there. Throws BackendUnavailable. */
export function createNativeTreeArithmetic(): TreeArithmetic {
  throw new BackendUnavailable(REASON);
}
