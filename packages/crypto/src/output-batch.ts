import { isBytes } from '@noble/hashes/utils.js';

/** The number that stands for an output without a view tag. */
export const NO_VIEW_TAG = 256;
/** An output here: the place of its public key, its index, its view tag, and a key of eight words. */
const OUTPUT_WORDS = 3 + 8;
/** An output as the fast backends take it: index, view tag, derivation, key. */
export const CANDIDATE_SIZE = 4 + 4 + 32 + 32;
const CANDIDATE_WORDS = CANDIDATE_SIZE / 4;
const KEY_WORDS = 8;

/** An output that may belong to an account, in an {@link OutputBatch}. */
export interface BatchedOutput {
  /** The public key of the transaction to try: what `addPublicKey` returned for it. */
  readonly publicKey: number;
  /** The position of the output in its transaction, below 2^32. */
  readonly index: number;
  /** The one-time key, 32 bytes. */
  readonly key: Uint8Array;
  /** 0 to 255; absent for an output without one. */
  readonly viewTag?: number | undefined;
}

/** Outputs of many transactions, packed so that each costs a copy of its key and no object. */
export class OutputBatch {
  #publicKeys = new Uint8Array(64 * 32);
  #words = new Uint32Array(64 * OUTPUT_WORDS);
  #bytes = new Uint8Array(this.#words.buffer);
  #keyCount = 0;
  #count = 0;

  /** The number of outputs. */
  get size(): number {
    return this.#count;
  }

  /** All public keys, 32 bytes each. A view, valid until the next one is added. */
  get publicKeys(): Uint8Array {
    return this.#publicKeys.subarray(0, 32 * this.#keyCount);
  }

  /** Adds the public key of a transaction, 32 bytes, and returns its place. Throws RangeError for another size. */
  addPublicKey(key: Uint8Array): number {
    if (!isKey(key)) throw new RangeError('a public key has 32 bytes');
    if (32 * this.#keyCount === this.#publicKeys.length) {
      const larger = new Uint8Array(2 * this.#publicKeys.length);
      larger.set(this.#publicKeys);
      this.#publicKeys = larger;
    }
    copyKey(this.#publicKeys, 32 * this.#keyCount, key);
    return this.#keyCount++;
  }

  /** Adds an output and returns its place. Throws RangeError for a number out of range or a key that does not have 32 bytes. */
  add({ publicKey, index, key, viewTag }: BatchedOutput): number {
    const isPlace = publicKey >= 0 && publicKey < this.#keyCount && Number.isInteger(publicKey);
    const isIndex = index >>> 0 === index;
    const isTag = viewTag === undefined || (viewTag & 255) === viewTag;
    if (!isPlace || !isIndex || !isTag || !isKey(key)) {
      throw new RangeError('a public key of the batch, an index, a view tag and 32 bytes expected');
    }
    const at = this.#count * OUTPUT_WORDS;
    if (at === this.#words.length) this.#grow();
    this.#words[at] = publicKey;
    this.#words[at + 1] = index;
    this.#words[at + 2] = viewTag ?? NO_VIEW_TAG;
    copyKey(this.#bytes, 4 * (at + 3), key);
    return this.#count++;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#words.length);
    larger.set(this.#words);
    this.#words = larger;
    this.#bytes = new Uint8Array(larger.buffer);
  }

  /** Returns the place of an output's public key. */
  publicKeyOf(output: number): number {
    return this.#words[output * OUTPUT_WORDS] as number;
  }

  /** Returns an output with a derivation, as `CryptoBackend.spendKeys` takes it. */
  candidate(output: number, derivation: Uint8Array) {
    const at = output * OUTPUT_WORDS;
    const viewTag = this.#words[at + 2] as number;
    return {
      derivation,
      index: this.#words[at + 1] as number,
      key: this.#bytes.slice(4 * (at + 3), 4 * (at + OUTPUT_WORDS)),
      viewTag: viewTag === NO_VIEW_TAG ? undefined : viewTag,
    };
  }

  /**
   * Returns outputs from one place up to, but not including, another, CANDIDATE_SIZE bytes each, with the derivations of their
   * public keys: `derivations` holds 32 bytes for each public key and starts at a multiple of four in its buffer.
   */
  candidates(derivations: Uint8Array, from: number, to: number): Uint8Array {
    const packed = new Uint32Array((to - from) * CANDIDATE_WORDS);
    const numbers = new DataView(packed.buffer);
    const shared = new Uint32Array(
      derivations.buffer,
      derivations.byteOffset,
      derivations.length / 4,
    );
    const words = this.#words;
    let source = from * OUTPUT_WORDS;
    for (let at = 0; at < packed.length; at += CANDIDATE_WORDS, source += OUTPUT_WORDS) {
      numbers.setUint32(4 * at, words[source + 1] as number, true);
      numbers.setUint32(4 * at + 4, words[source + 2] as number, true);
      const derivation = (words[source] as number) * KEY_WORDS;
      for (let i = 0; i < KEY_WORDS; i++) {
        packed[at + 2 + i] = shared[derivation + i] as number;
        packed[at + 2 + KEY_WORDS + i] = words[source + 3 + i] as number;
      }
    }
    return new Uint8Array(packed.buffer);
  }
}

function isKey(key: Uint8Array): boolean {
  return isBytes(key) && key.length === 32;
}

/** Copies 32 bytes: a loop takes less time than a call of `set`. */
function copyKey(target: Uint8Array, at: number, key: Uint8Array): void {
  for (let i = 0; i < 32; i++) target[at + i] = key[i] as number;
}
