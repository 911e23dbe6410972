import type { CryptoBackend } from '../types.ts';

/** Takes the place of backend.ts where there is no native code, such as in browsers. Throws Error. */
export function createNativeBackend(): CryptoBackend {
  throw new Error('this JavaScript engine loads no native code');
}
