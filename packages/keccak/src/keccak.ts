import { abytes } from '@noble/hashes/utils.js';
import { instantiateKeccak, type KeccakExports } from './instantiate.ts';
import { portableKeccak256 } from './portable.ts';

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

/** Made by the first hash, so that importing the module costs nothing. */
let chosen:
  { readonly hash: Hash; readonly isWasm: boolean; readonly reason?: unknown } | undefined;

function choose(): NonNullable<typeof chosen> {
  if (chosen !== undefined) return chosen;
  try {
    chosen = { hash: createWasmKeccak(instantiateKeccak()), isWasm: true };
  } catch (reason) {
    chosen = { hash: portableKeccak256, isWasm: false, reason };
  }
  return chosen;
}

/** Returns whether hashes are computed in WebAssembly. Elsewhere they take ten times as long. */
export function hasWasmKeccak(): boolean {
  return choose().isWasm;
}

/**
 * Returns why hashes are not computed in WebAssembly: a TypeError where there is none, or what the engine threw when the module
 * was compiled. Undefined where they are.
 */
export function wasmKeccakFailure(): unknown {
  return choose().reason;
}

/**
 * Returns Keccak-256 with the original padding byte 0x01 (not SHA3-256): any length in, 32 bytes out.
 *
 * Throws TypeError unless the data is a Uint8Array.
 */
export function keccak256(data: Uint8Array): Uint8Array {
  abytes(data, undefined, 'data');
  return (chosen ?? choose()).hash(data);
}
