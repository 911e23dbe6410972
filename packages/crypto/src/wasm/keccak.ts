import { keccak256 as portableKeccak256 } from '../keccak.ts';
import { instantiate } from './instantiate.ts';

/** The exports of assembly/keccak-module.ts. */
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

/** Returns the hash function of one instance, whose memory never grows. */
function createKeccak256(wasm: KeccakExports): (data: Uint8Array) => Uint8Array {
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

const wasm = instantiate<KeccakExports>('keccak.wasm');

/** Keccak-256 in WebAssembly, or undefined when the package was not built. */
export const wasmKeccak256: ((data: Uint8Array) => Uint8Array) | undefined =
  wasm && createKeccak256(wasm);

/**
 * Returns Keccak-256 with the original padding byte 0x01 (not SHA3-256): any length in, 32 bytes out. Runs in
 * WebAssembly if the package was built, which takes a tenth of the time of JavaScript.
 */
export const keccak256: (data: Uint8Array) => Uint8Array = wasmKeccak256 ?? portableKeccak256;
