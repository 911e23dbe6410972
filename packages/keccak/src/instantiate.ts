// src/ and dist/ are both next to dist/assembly.
import { wasmBytes } from '../dist/assembly/keccak-wasm.js';

/** The exports of assembly/module.ts. */
export interface KeccakExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly CAPACITY: { readonly value: number };
  setUp(): void;
  data(): number;
  freshState(): number;
  keccak256(out: number, data: number, length: number): void;
  absorb(state: number, data: number, length: number): number;
  finish(out: number, state: number, data: number, length: number): void;
}

// Node has WebAssembly, but its type declarations lack it.
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/**
 * Returns a new instance. Throws TypeError where there is no WebAssembly, and what the engine throws where a page's policy
 * forbids to compile it.
 */
export function instantiateKeccak(): KeccakExports {
  const api = (globalThis as { WebAssembly?: WasmApi }).WebAssembly;
  if (api === undefined) throw new TypeError('this JavaScript engine has no WebAssembly');
  return new api.Instance(new api.Module(wasmBytes())).exports as KeccakExports;
}
