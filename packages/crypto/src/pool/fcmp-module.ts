import type { BackendChoice } from '../choices.ts';
import type { FcmpVerifier } from '../types.ts';

/** What the module of a verifier of FCMP++ proofs exports. This package does not depend on it: who makes a pool says where it is. */
export interface FcmpModule {
  createFcmpVerifier(backend: BackendChoice): FcmpVerifier;
}

/** Resolves with the verifier of the module at a URL. Rejects when it does not load, or the engine does not work here. */
export async function loadFcmpVerifier(url: string, backend: BackendChoice): Promise<FcmpVerifier> {
  const module: FcmpModule = await import(/* webpackIgnore: true */ /* @vite-ignore */ url);
  return module.createFcmpVerifier(backend);
}
