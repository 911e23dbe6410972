import { readFileSync } from 'node:fs';
import { PowUnavailableError } from './errors.ts';

// Node has WebAssembly, but its type declarations lack it.
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports?: object) => { readonly exports: unknown };
}

function wasm(): WasmApi {
  const api = (globalThis as { WebAssembly?: WasmApi }).WebAssembly;
  if (api !== undefined) return api;
  throw new PowUnavailableError('no-wasm', 'this Node.js runs without WebAssembly');
}

/** Returns the exports of a new instance of the module with these bytes. Throws PowUnavailableError ('no-wasm'). */
export function instantiate<Exports>(bytes: Uint8Array, imports?: object): Exports {
  const { Module, Instance } = wasm();
  return new Instance(new Module(bytes), imports).exports as Exports;
}

/**
 * Returns the bytes of a module that assembly/build.mjs compiled.
 *
 * Throws PowUnavailableError ('not-built').
 */
export function readModule(name: string): Uint8Array {
  try {
    // src/ and dist/ are both next to dist/assembly.
    return readFileSync(new URL(`../dist/assembly/${name}`, import.meta.url));
  } catch (cause) {
    const message = `${name} was not built: run "npm run build" once`;
    throw new PowUnavailableError('not-built', message, { cause });
  }
}
