// src/ and dist/ are both next to dist/assembly.
import { wasmBytes } from '../../dist/assembly/derivations-wasm.js';
import { instantiate } from './instantiate.ts';
import type { InputArea } from './input-writer.ts';

/** The exports of both modules that compute derivations. */
export interface DerivationExports extends InputArea {
  readonly MAX_ITEMS: { readonly value: number };
  /** Replaces points of 32 bytes by derivations; a byte of `answers` becomes 1, or 0 for one that is not a point. */
  keyDerivations(secret: number, items: number, answers: number, count: number): void;
}

/** Returns an instance that computes two derivations at a time, or undefined where WebAssembly has no vectors. */
export function createDerivationInstance(): DerivationExports | undefined {
  try {
    const exports = instantiate<DerivationExports & { setUp(): void }>(wasmBytes());
    exports.setUp();
    return exports;
  } catch {
    // Engines before 2021 to 2023 cannot compile it; the caller has a module without vectors.
    return undefined;
  }
}
