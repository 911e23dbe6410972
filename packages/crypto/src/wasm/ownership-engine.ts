import {
  computeInParts,
  type OwnershipEngine,
  type PackedResults,
  SUM_SIZE,
} from '../ownership/engine.ts';
import { CANDIDATE_SIZE } from '../output-batch.ts';
import { createDerivationInstance, type DerivationExports } from './derivation-instance.ts';
import { InputWriter } from './input-writer.ts';
import type { CryptoExports } from './instance.ts';

const NOTHING = new Uint8Array(32);

/** An instance and its input area. */
interface Deriver {
  readonly wasm: DerivationExports;
  readonly input: InputWriter;
}

/**
 * Computes for wallets by the functions of assembly/ownership.ts; derivations by assembly/derivations.ts where the engine
 * has vectors.
 */
export class WasmOwnershipEngine implements OwnershipEngine {
  readonly #wasm: CryptoExports;
  readonly #input: InputWriter;
  readonly #createVectors: typeof createDerivationInstance;
  #deriver: Deriver | undefined;

  /** `createVectors` returns the instance that computes derivations on vectors, or undefined where there are none. */
  constructor(wasm: CryptoExports, input: InputWriter, createVectors = createDerivationInstance) {
    this.#wasm = wasm;
    this.#input = input;
    this.#createVectors = createVectors;
  }

  /** Made when it is first needed: a node derives nothing. */
  #findDeriver(): Deriver {
    if (this.#deriver !== undefined) return this.#deriver;
    const wasm = this.#createVectors();
    const own = wasm && { wasm, input: new InputWriter(wasm) };
    return (this.#deriver = own ?? { wasm: this.#wasm, input: this.#input });
  }

  derive(secret: Uint8Array, points: Uint8Array): PackedResults {
    const { wasm, input } = this.#findDeriver();
    const items = { size: 32, most: wasm.MAX_ITEMS.value };
    return computeInParts(points, items, (part, results, answers) => {
      const at = input.begin(part.length + answers.length + 32);
      const [answersAt, secretAt] = [at + part.length, at + part.length + answers.length];
      input.element(part);
      input.seek(secretAt);
      input.element(secret);
      wasm.keyDerivations(secretAt, at, answersAt, answers.length);
      input.seek(secretAt);
      input.element(NOTHING);
      results.set(input.read(at, part.length));
      answers.set(input.read(answersAt, answers.length));
    });
  }

  spend(candidates: Uint8Array): PackedResults {
    const input = this.#input;
    const items = { size: CANDIDATE_SIZE, most: this.#wasm.MAX_ITEMS.value };
    return computeInParts(candidates, items, (part, results, answers) => {
      const at = input.begin(part.length + answers.length);
      input.element(part);
      this.#wasm.spendKeys(at, at + part.length, answers.length);
      answers.set(input.read(at + part.length, answers.length));
      for (let i = answers.indexOf(1); i >= 0; i = answers.indexOf(1, i + 1)) {
        // The spend key replaces the key, which comes last.
        results.set(input.read(at + CANDIDATE_SIZE * (i + 1) - 32, 32), 32 * i);
      }
    });
  }

  add(sums: Uint8Array): PackedResults {
    const input = this.#input;
    const items = { size: SUM_SIZE, most: this.#wasm.MAX_ITEMS.value };
    return computeInParts(sums, items, (part, results, answers) => {
      const at = input.begin(part.length);
      input.element(part);
      this.#wasm.addMultiples(at, answers.length);
      for (let i = 0; i < answers.length; i++) {
        // The sum replaces the first element, the answer the second one.
        const sum = input.read(at + SUM_SIZE * i, 64);
        results.set(sum.subarray(0, 32), 32 * i);
        answers[i] = sum[32] as number;
      }
    });
  }
}
