import { readFileSync } from 'node:fs';

/** The exports of assembly/index.ts. Addresses are numbers, predicates answer 0 or 1. */
export interface CryptoExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly MAX_PROOFS: { readonly value: number };
  setUp(): void;
  /** The address of the input area, which from then on has at least `size` bytes. The memory may have moved. */
  input(size: number): number;
  keccak256(out: number, data: number, length: number): void;
  /** Absorbs whole blocks into the 200-byte state; answers how many bytes it took. */
  absorb(state: number, data: number, length: number): number;
  finish(out: number, state: number, data: number, length: number): void;
  hashToPoint(out: number, hash: number): void;
  isPoint(bytes: number): number;
  isValidKeyImage(bytes: number): number;
  commitToAmount(out: number, amount: bigint): void;
  verifyBalance(bytes: number, inputs: number, outputs: number, fee: bigint): number;
  clsagSize(ringSize: number): number;
  verifyClsag(proof: number, ringSize: number): number;
  proofSize(outputs: number, rounds: number): number;
  verifyBulletproofPlus(first: number, count: number): number;
}

// Node has WebAssembly, but its type declarations have not.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** src/ and dist/ both stand beside dist/assembly. */
const MODULE_URL = new URL('../../dist/assembly/crypto.wasm', import.meta.url);

function readModule(): Uint8Array | undefined {
  try {
    return readFileSync(MODULE_URL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A fresh instance with its tables made, or undefined if the package was not built (or Node runs without WebAssembly). */
export function createInstance(): CryptoExports | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  const bytes = readModule();
  if (bytes === undefined) return undefined;
  const exports = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as CryptoExports;
  exports.setUp();
  return exports;
}
