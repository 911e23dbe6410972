import { createRequire } from 'node:module';

/** Opaque owner of a RandomX cache inside the addon. */
export type CacheHandle = { readonly __brand: 'randomx-cache' };

/** Functions of native/binding.cc. */
export interface RandomxAddon {
  initCache(seed: Uint8Array): Promise<CacheHandle>;
  hash(handle: CacheHandle, blob: Uint8Array): Promise<Uint8Array>;
  release(handle: CacheHandle): void;
}

/** The compiled addon, or `undefined` where it was not built. */
export function loadRandomxAddon(): RandomxAddon | undefined {
  try {
    // src/ and dist/ both sit beside native/.
    return createRequire(import.meta.url)('../native/build/randomx.node') as RandomxAddon;
  } catch {
    return undefined;
  }
}
