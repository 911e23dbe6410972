import { BackendUnavailable, type FcmpBackend } from '../backend/backend.ts';

/** Takes the place of backend.ts where there is no native code, such as in browsers. Throws BackendUnavailable. */
export function createNativeBackend(): FcmpBackend {
  throw new BackendUnavailable('this JavaScript engine loads no native code');
}
