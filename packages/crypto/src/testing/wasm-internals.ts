import { existsSync, readFileSync } from 'node:fs';

type Operation = (...args: number[]) => number;

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** What assembly/testing.ts exports, for specs that look below the backend. */
export interface WasmInternals {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Calls an exported function. */
  call(name: string, ...args: number[]): number;
}

/** An instance of the testing module; throws if it was not built. */
export function loadWasmInternals(): WasmInternals {
  const file = new URL('../../dist/assembly/testing.wasm', import.meta.url);
  if (!existsSync(file)) throw new Error('run npx nx build-wasm @monero-node/crypto first');
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
  const exports = instance.exports as Record<string, Operation> & WasmInternals;
  const call = (name: string, ...args: number[]) => (exports[name] as Operation)(...args);
  call('setUp');
  return { memory: exports.memory, call };
}
