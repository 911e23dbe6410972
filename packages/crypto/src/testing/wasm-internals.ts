import { instantiate } from '../wasm/instantiate.ts';

type Operation = (...args: number[]) => number;

/** The exports of assembly/testing.ts, for specs of the code below the backend. */
export interface WasmInternals {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Calls an exported function. */
  call(name: string, ...args: number[]): number;
}

/** Returns an instance of the testing module. Throws Error if it was not built. */
export function loadWasmInternals(): WasmInternals {
  const exports = instantiate<Record<string, Operation> & WasmInternals>('testing.wasm');
  if (!exports) throw new Error('run npx nx build-wasm @monero-node/crypto first');
  const call = (name: string, ...args: number[]) => (exports[name] as Operation)(...args);
  call('setUp');
  return { memory: exports.memory, call };
}
