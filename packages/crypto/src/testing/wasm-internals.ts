import { wasmBytes } from '../../dist/assembly/testing-wasm.js';
import { instantiate } from '../wasm/instantiate.ts';

type Operation = (...args: number[]) => number;

/** The exports of assembly/testing.ts, for specs of the code below the backend. */
export interface WasmInternals {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Calls an exported function. */
  call(name: string, ...args: number[]): number;
}

/** Returns an instance of the testing module. */
export function loadWasmInternals(): WasmInternals {
  const exports = instantiate<Record<string, Operation> & WasmInternals>(wasmBytes());
  const call = (name: string, ...args: number[]) => (exports[name] as Operation)(...args);
  call('setUp');
  return { memory: exports.memory, call };
}
