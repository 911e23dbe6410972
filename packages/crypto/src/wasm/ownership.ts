import { checkSecret, hasCandidateShape, hasSumShape, isElement } from '../proofs/shapes.ts';
import type { OutputCandidate, PointSum } from '../types.ts';
import type { InputWriter } from './input-writer.ts';
import type { CryptoExports } from './instance.ts';

/** The layout of items in memory (assembly/ownership.ts): bytes of one, and where its result and its answer are. */
interface Layout {
  readonly size: number;
  readonly result: number;
  readonly answer: number;
}

const DERIVATION: Layout = { size: 64, result: 0, answer: 32 };
const CANDIDATE: Layout = { size: 96, result: 32, answer: 64 };
const SUM: Layout = { size: 128, result: 0, answer: 32 };
const NO_VIEW_TAG = 256;

/** Derivations, spend keys and sums by the functions of assembly/ownership.ts. */
export class OwnershipComputer {
  readonly #wasm: CryptoExports;
  readonly #input: InputWriter;

  constructor(wasm: CryptoExports, input: InputWriter) {
    this.#wasm = wasm;
    this.#input = input;
  }

  keyDerivations(
    secret: Uint8Array,
    publicKeys: readonly Uint8Array[],
  ): (Uint8Array | undefined)[] {
    checkSecret(secret);
    return this.#computeEach(publicKeys, DERIVATION, {
      hasShape: isElement,
      write: (key) => {
        this.#input.element(key);
        this.#input.skip(32);
      },
      // The secret comes last, because the items start where the input area does.
      compute: (items, count) => {
        const at = items + count * DERIVATION.size;
        this.#input.seek(at);
        this.#input.element(secret);
        this.#wasm.keyDerivations(at, items, count);
        this.#input.seek(at);
        this.#input.element(new Uint8Array(32));
      },
    });
  }

  spendKeys(candidates: readonly OutputCandidate[]): (Uint8Array | undefined)[] {
    return this.#computeEach(candidates, CANDIDATE, {
      hasShape: hasCandidateShape,
      write: ({ derivation, key, index, viewTag }) => {
        this.#input.elements([derivation, key]);
        this.#input.sizes(index, viewTag ?? NO_VIEW_TAG);
      },
      compute: (items, count) => this.#wasm.spendKeys(items, count),
    });
  }

  addMultiples(sums: readonly PointSum[]): (Uint8Array | undefined)[] {
    return this.#computeEach(sums, SUM, {
      hasShape: hasSumShape,
      write: ({ a, A, b, B }) => this.#input.elements([a, A, b, B]),
      compute: (items, count) => this.#wasm.addMultiples(items, count),
    });
  }

  /** Returns a result for each item: undefined for a wrong shape; the others come from calls of bounded size. */
  #computeEach<T>(
    list: readonly T[],
    layout: Layout,
    {
      hasShape,
      write,
      compute,
    }: {
      hasShape: (item: T) => boolean;
      write: (item: T) => void;
      compute: (items: number, count: number) => void;
    },
  ): (Uint8Array | undefined)[] {
    const step = this.#wasm.MAX_ITEMS.value;
    const shaped = list.map(hasShape);
    const good = list.filter((_, i) => shaped[i]);
    const results: (Uint8Array | undefined)[] = [];
    for (let first = 0; first < good.length; first += step) {
      const part = good.slice(first, first + step);
      const items = this.#input.begin(part.length * layout.size + 32);
      for (const item of part) write(item);
      compute(items, part.length);
      const bytes = this.#input.read(items, part.length * layout.size);
      for (let at = 0; at < bytes.length; at += layout.size) {
        const result = bytes.slice(at + layout.result, at + layout.result + 32);
        results.push(bytes[at + layout.answer] === 1 ? result : undefined);
      }
    }
    let next = 0;
    return shaped.map((ok) => (ok ? results[next++] : undefined));
  }
}
