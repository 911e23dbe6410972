import { PowUnavailableError } from './errors.ts';

// Node has WebAssembly, but its type declarations lack it.
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports?: object) => { readonly exports: unknown };
}

function wasm(): WasmApi {
  const api = (globalThis as { WebAssembly?: WasmApi }).WebAssembly;
  if (api !== undefined) return api;
  throw new PowUnavailableError('no-wasm', 'this JavaScript engine has no WebAssembly');
}

/** Returns the exports of a new instance of the module with these bytes. Throws PowUnavailableError ('no-wasm'). */
export function instantiate<Exports>(bytes: Uint8Array, imports?: object): Exports {
  const { Module, Instance } = wasm();
  return new Instance(new Module(bytes), imports).exports as Exports;
}
