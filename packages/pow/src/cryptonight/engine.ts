import { PowInputError } from '../errors.ts';
// src/ and dist/ are both next to dist/assembly.
import { wasmBytes } from '../../dist/assembly/cryptonight-wasm.js';
import { instantiateBytes } from '../webassembly.ts';
import { encodeProgram } from './program-module.ts';
import type { CryptonightVariant } from '../cryptonight-variant.ts';

/** Fewest bytes for variant 1, which takes its tweak from bytes 35 to 42 of the blob. */
const MIN_BLOB_LENGTH_1 = 43;
/** Most bytes of a blob, far above any block or template; it bounds the memory of a worker. */
const MAX_BLOB_LENGTH = 16 * 1024 * 1024;

/** The exports of assembly/cryptonight/index.ts; addresses are numbers. */
interface CryptonightExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly table: { grow(count: number): number; set(index: number, value: unknown): void };
  setUp(): void;
  input(size: number): number;
  registers(): number;
  program(): number;
  makeProgram(height: bigint): number;
  hash(variant: number, length: number, slot: number): number;
}

/** Throws PowInputError if the blob is too short for the variant or longer than 16 MiB. */
export function assertCryptonightInput(variant: CryptonightVariant, blob: Uint8Array): void {
  if (variant === 1 && blob.length < MIN_BLOB_LENGTH_1) {
    throw new PowInputError(`CryptoNight variant 1 needs ${MIN_BLOB_LENGTH_1} bytes of data`);
  }
  if (blob.length > MAX_BLOB_LENGTH) {
    throw new PowInputError(`proof of work of more than ${MAX_BLOB_LENGTH} bytes`);
  }
}

/** Computes CryptoNight on the calling thread: 2 MiB of memory, about 35 ms per hash. */
export class CryptonightEngine {
  readonly #exports: CryptonightExports;
  readonly #slot: number;
  #programHeight: bigint | undefined;

  /** Throws PowUnavailableError ('no-wasm'). */
  constructor() {
    this.#exports = instantiateBytes<CryptonightExports>(wasmBytes());
    this.#exports.setUp();
    this.#slot = this.#exports.table.grow(1);
  }

  /**
   * Returns the 32-byte hash. Source: cn_slow_hash in src/crypto/slow-hash.c.
   *
   * @param height height of the block, 64 bits; only variant 4 uses it
   * Throws PowInputError if the variant has no hash of the blob.
   */
  hash(variant: CryptonightVariant, height: number | bigint, blob: Uint8Array): Uint8Array {
    assertCryptonightInput(variant, blob);
    if (variant === 4) this.#prepareProgram(BigInt(height));
    const exports = this.#exports;
    const input = exports.input(blob.length);
    new Uint8Array(exports.memory.buffer).set(blob, input);
    const at = exports.hash(variant, blob.length, this.#slot);
    return new Uint8Array(exports.memory.buffer).slice(at, at + 32);
  }

  #prepareProgram(height: bigint): void {
    if (height === this.#programHeight) return;
    const { memory, table } = this.#exports;
    const length = this.#exports.makeProgram(height);
    const program = new Uint8Array(memory.buffer, this.#exports.program(), 8 * length);
    const module = encodeProgram(program, this.#exports.registers());
    const { run } = instantiateBytes<{ run: unknown }>(module, { engine: { memory } });
    table.set(this.#slot, run);
    this.#programHeight = height;
  }
}
