import { blake2b } from '@noble/hashes/blake2.js';
import type { RandomxCache } from './cache.ts';
import type { SuperscalarExports, SuperscalarImports } from './superscalar-compiler.ts';
import { compileMachine } from './modules.ts';
import type { RandomxVersion } from '../pow-hasher.ts';
import { instantiateModule, type WasmModule } from '../webassembly.ts';

const ITERATIONS = 2048;
const PROGRAMS = 8;
const SEED_SIZE = 64;
const REGISTER_FILE_SIZE = 256;

/** Exports of assembly/randomx/index.ts. */
interface MachineExports extends SuperscalarImports {
  readonly memory: { readonly buffer: ArrayBuffer };
  setUp(): void;
  seed(): number;
  registers(): number;
  startHash(isVersion2: boolean): void;
  startProgram(): void;
  endHash(): void;
}

/**
 * A RandomX virtual machine in light mode, for one thread (specification, chapters 2 and 4). It has 2 MiB of memory of
 * its own; the cache is shared.
 */
export class RandomxMachine {
  readonly #machine: MachineExports;
  readonly #seed: Uint8Array;
  readonly #registers: Uint8Array;
  #superscalar: SuperscalarExports | undefined;

  /**
   * @param module the module randomx.wasm
   * Throws PowUnavailableError ('no-wasm').
   */
  constructor(module: WasmModule = compileMachine()) {
    this.#machine = instantiateModule<MachineExports>(module);
    this.#machine.setUp();
    const { buffer } = this.#machine.memory;
    this.#seed = new Uint8Array(buffer, this.#machine.seed(), SEED_SIZE);
    this.#registers = new Uint8Array(buffer, this.#machine.registers(), REGISTER_FILE_SIZE);
  }

  /** Sets the cache from which later hashes compute dataset items. */
  use(cache: RandomxCache): void {
    const { startIteration, endIteration } = this.#machine;
    this.#superscalar = instantiateModule<SuperscalarExports>(cache.superscalar, {
      cache: { memory: cache.memory },
      machine: { startIteration, endIteration },
    });
  }

  /**
   * Returns the 32-byte hash of `blob` by that version of RandomX; takes tens of milliseconds on the calling thread. The
   * versions share caches.
   *
   * Throws Error without a cache.
   */
  hash(blob: Uint8Array, version: RandomxVersion = 'randomx'): Uint8Array {
    if (this.#superscalar === undefined) throw new Error('the machine has no cache');
    this.#seed.set(blake2b(blob, { dkLen: SEED_SIZE }));
    this.#machine.startHash(version === 'randomx-v2');
    for (let program = 0; program < PROGRAMS; program++) {
      if (program > 0) this.#seed.set(blake2b(this.#registers, { dkLen: SEED_SIZE }));
      this.#machine.startProgram();
      this.#superscalar.run(ITERATIONS);
    }
    this.#machine.endHash();
    return blake2b(this.#registers, { dkLen: 32 });
  }
}
