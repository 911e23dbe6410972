// src/ and dist/ are both next to dist/assembly.
import { wasmBytes } from '../../dist/assembly/fcmp-wasm.js';
import { BackendUnavailable } from '../backend/backend.ts';

/** The exports of assembly/cycle-sum.ts. Addresses are numbers. */
export interface FcmpExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** The limbs of c of the prime 2^255 - c, of 29 bits each, and 1/c modulo 2^29. */
  setPrime(c0: number, c1: number, c2: number, c3: number, c4: number, inverse: number): void;
  /** Returns where to write for a sum of so many points; the memory may be another one afterwards. */
  begin(count: number): number;
  /** Returns where X, Y, ZZ and ZZZ of the sum are, or 0 for the identity. */
  sum(count: number): number;
  /** Returns where base^exponent is, written at the place that `begin(1)` returned. */
  power(place: number): number;
  /** Returns where X, Y and Z of a multiple of a point of Ed25519 are, written at the place that `begin(2)` returned. */
  multiplyEdPoint(place: number): number;
}

// Node has WebAssembly, but its type declarations lack it.
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Returns a new instance. Throws BackendUnavailable where there is no WebAssembly or a page's policy forbids to compile it. */
export function instantiateFcmp(): FcmpExports {
  const api = (globalThis as { WebAssembly?: WasmApi }).WebAssembly;
  if (api === undefined) {
    throw new BackendUnavailable('this JavaScript engine has no WebAssembly');
  }
  try {
    return new api.Instance(new api.Module(wasmBytes())).exports as FcmpExports;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackendUnavailable(`WebAssembly does not work: ${reason}`, { cause: error });
  }
}
