import { wasmBytes } from '../../dist/assembly/randomx-testing-wasm.js';
import { instantiateBytes } from '../webassembly.ts';

type OnPairs = (at: number, mode: number) => void;

/** Exports of assembly/randomx/testing.ts. */
interface RandomxParts {
  readonly memory: { readonly buffer: ArrayBuffer };
  setUp(): void;
  data(): number;
  reciprocal(divisor: number): bigint;
  generate1R(to: number, size: number, state: number): void;
  generate4R(to: number, size: number, state: number): void;
  mixRegisters(at: number, keys: number): void;
  fingerprint1R(to: number, at: number, size: number): void;
  readonly addPairs: OnPairs;
  readonly subtractPairs: OnPairs;
  readonly multiplyPairs: OnPairs;
  readonly dividePairs: OnPairs;
  readonly rootPair: OnPairs;
}

/** The parts of the virtual machine in an instance of their own. */
export function randomxParts(): RandomxParts {
  const parts = instantiateBytes<RandomxParts>(wasmBytes());
  parts.setUp();
  return parts;
}
