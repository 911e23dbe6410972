import { blake2b } from '@noble/hashes/blake2.js';
import { BLOCK_SIZE, BLOCKS, ARGON2_PASSES } from './cache-layout.ts';
import { instantiateModule, type SharedMemory, type WasmModule } from '../webassembly.ts';

/** Exports of assembly/randomx/argon2d.ts. */
interface Argon2dExports {
  fill(pass: number, first: number, end: number): void;
}

const LANES = 1;
const VERSION = 0x13;
const TYPE_D = 0;
const SALT = new TextEncoder().encode('RandomX\x03');

function uint32(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value, true);
  return bytes;
}

/** Returns H0, the hash of all parameters (RFC 9106, 3.2); without output, secret or associated data. */
function initialHash(key: Uint8Array): Uint8Array {
  return blake2b
    .create({ dkLen: 64 })
    .update(uint32(LANES, 0, BLOCKS, ARGON2_PASSES, VERSION, TYPE_D, key.length))
    .update(key)
    .update(uint32(SALT.length))
    .update(SALT)
    .update(uint32(0, 0))
    .digest();
}

/** Returns H', a hash of 1024 bytes made in steps of 32, the last one of 64 (RFC 9106, 3.3). */
function longHash(...input: readonly Uint8Array[]): Uint8Array {
  const output = new Uint8Array(BLOCK_SIZE);
  const first = blake2b.create({ dkLen: 64 }).update(uint32(BLOCK_SIZE));
  for (const part of input) first.update(part);
  let hash = first.digest();
  let at = 0;
  for (; at < BLOCK_SIZE - 64; at += 32) {
    output.set(hash.subarray(0, 32), at);
    hash = blake2b(hash, { dkLen: 64 });
  }
  output.set(hash, at);
  return output;
}

/**
 * Fills the memory of a cache, 256 MiB, from its key of at most 60 bytes; takes about a second on the calling thread.
 *
 * @param argon2d the module argon2d.wasm
 */
export function fillMemory(argon2d: WasmModule, memory: SharedMemory, key: Uint8Array): void {
  const { fill } = instantiateModule<Argon2dExports>(argon2d, { env: { memory } });
  const hash = initialHash(key);
  const bytes = new Uint8Array(memory.buffer);
  for (const block of [0, 1]) {
    bytes.set(longHash(hash, uint32(block, 0)), BLOCK_SIZE * block);
  }
  for (let pass = 0; pass < ARGON2_PASSES; pass++) fill(pass, pass === 0 ? 2 : 0, BLOCKS);
}
