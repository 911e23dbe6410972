import { PowUnavailableError } from './errors.ts';

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A compiled module; sending it to another thread shares the machine code. */
export interface WasmModule {
  readonly __brand: 'wasm-module';
}

/** A WebAssembly.Memory that threads share. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

// Node has WebAssembly, but its type declarations lack it.
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: Imports) => { readonly exports: unknown };
  readonly Memory: new (options: object) => SharedMemory;
}

function wasm(): WasmApi {
  const api = (globalThis as { WebAssembly?: WasmApi }).WebAssembly;
  if (api !== undefined) return api;
  throw new PowUnavailableError('no-wasm', 'this JavaScript engine has no WebAssembly');
}

/**
 * Compiles the bytes of a module.
 *
 * Throws PowUnavailableError ('no-wasm') when this engine or processor lacks a feature that the module uses.
 */
export function compileModule(bytes: Uint8Array): WasmModule {
  const { Module } = wasm();
  try {
    return new Module(bytes);
  } catch (cause) {
    const message = `WebAssembly does not compile on this machine: ${(cause as Error).message}`;
    throw new PowUnavailableError('no-wasm', message, { cause });
  }
}

/** Returns the exports of a new instance. Throws PowUnavailableError ('no-wasm'). */
export function instantiateModule<Exports>(module: WasmModule, imports: Imports = {}): Exports {
  const { Instance } = wasm();
  return new Instance(module, imports).exports as Exports;
}

/** Returns the exports of a new instance of the module with these bytes. Throws PowUnavailableError ('no-wasm'). */
export function instantiateBytes<Exports>(bytes: Uint8Array, imports: Imports = {}): Exports {
  return instantiateModule(compileModule(bytes), imports);
}

/**
 * Returns a memory of `pages` times 64 KiB that threads share.
 *
 * Throws PowUnavailableError ('no-memory').
 */
export function createSharedMemory(pages: number): SharedMemory {
  const { Memory } = wasm();
  try {
    return new Memory({ initial: pages, maximum: pages, shared: true });
  } catch (cause) {
    const message = `no memory for RandomX: ${pages / 16} MiB are needed`;
    throw new PowUnavailableError('no-memory', message, { cause });
  }
}
