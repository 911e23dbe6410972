import { abytes } from '@noble/hashes/utils.js';
// src/ and dist/ are both next to dist/assembly.
import { wasmBytes } from '../dist/assembly/keccak-wasm.js';
import { portableKeccak256 } from './portable.ts';

/** The exports of assembly/module.ts. */
interface KeccakExports {
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
function instantiateKeccak(): KeccakExports {
  const api = (globalThis as { WebAssembly?: WasmApi }).WebAssembly;
  if (api === undefined) throw new TypeError('this JavaScript engine has no WebAssembly');
  return new api.Instance(new api.Module(wasmBytes())).exports as KeccakExports;
}

type Hash = (data: Uint8Array) => Uint8Array;

/** Returns the hash function of one instance, whose memory never grows. */
function createWasmKeccak(wasm: KeccakExports): Hash {
  wasm.setUp();
  const start = wasm.data();
  const capacity = wasm.CAPACITY.value;
  const memory = new Uint8Array(wasm.memory.buffer);

  const hashInPieces = (data: Uint8Array): void => {
    const state = wasm.freshState();
    let done = 0;
    for (; data.length - done > capacity; done += capacity) {
      memory.set(data.subarray(done, done + capacity), start);
      wasm.absorb(state, start, capacity);
    }
    memory.set(data.subarray(done), start);
    wasm.finish(start, state, start, data.length - done);
  };

  return (data) => {
    if (data.length > capacity) {
      hashInPieces(data);
    } else {
      memory.set(data, start);
      wasm.keccak256(start, start, data.length);
    }
    return memory.slice(start, start + 32);
  };
}

/** What computes hashes on this machine. */
interface Implementation {
  readonly hash: Hash;
  readonly isWasm: boolean;
  /** Why it is not WebAssembly. */
  readonly reason?: unknown;
}

function choose(): Implementation {
  try {
    return { hash: createWasmKeccak(instantiateKeccak()), isWasm: true };
  } catch (reason) {
    return { hash: portableKeccak256, isWasm: false, reason };
  }
}

/** A constant, made by the first hash, so that importing the module costs nothing. */
let lazyImplementation: Implementation | undefined;

function implementation(): Implementation {
  lazyImplementation ??= choose();
  return lazyImplementation;
}

/** Returns whether hashes are computed in WebAssembly. Elsewhere they take ten times as long. */
export function hasWasmKeccak(): boolean {
  return implementation().isWasm;
}

/**
 * Returns why hashes are not computed in WebAssembly: a TypeError where there is none, or what the engine threw when the module
 * was compiled. Undefined where they are.
 */
export function wasmKeccakFailure(): unknown {
  return implementation().reason;
}

/**
 * Returns Keccak-256 with the original padding byte 0x01 (not SHA3-256): any length in, 32 bytes out.
 *
 * Throws TypeError unless the data is a Uint8Array.
 */
export function keccak256(data: Uint8Array): Uint8Array {
  abytes(data, undefined, 'data');
  return implementation().hash(data);
}
