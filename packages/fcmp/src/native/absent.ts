import type { FcmpBackend } from '../backend/backend.ts';

/** Takes the place of backend.ts where there is no native code, such as in browsers. Throws Error. */
export function createNativeBackend(): FcmpBackend {
  throw new Error('this JavaScript engine loads no native code');
}
