import type { CopiedPart, RctType, TransactionParts } from './types.ts';

/**
 * The parts of a transaction as numbers: a head, then for each input of type key the offset of its key image and the number of its ring members, then for each output
 * the offset of its key and its amount, low word first. Offsets are from the first byte of the transaction. Many transactions can
 * share one array, which threads hand to each other without copying it.
 */
export const AT = {
  size: 0,
  prefixSize: 1,
  unprunedSize: 2,
  /** Version in the low byte, then the RingCT type, then FLAGS. */
  kind: 3,
  /** Rounds of the range proof; 0 without one. */
  rounds: 4,
  inputs: 5,
  firstRing: 6,
  outputs: 7,
  unlockTime: 8,
  fee: 10,
  inputAmount: 12,
  /** Offset of the first commitment; 0 without commitments. */
  commitments: 14,
  extraSize: 15,
} as const;
/** Numbers of a head, of each input of type key, and of each output. */
export const HEAD = 16;
export const WORDS_PER_INPUT = 2;
export const WORDS_PER_OUTPUT = 3;
export const FLAGS = {
  pruned: 1 << 16,
  base: 1 << 17,
  coinbase: 1 << 18,
  carrot: 1 << 19,
} as const;

/** Enough for a transaction with two inputs and two outputs. */
const FIRST_CAPACITY = HEAD + 2 * WORDS_PER_INPUT + 2 * WORDS_PER_OUTPUT;

/** A growing list of numbers of 32 bits. */
export class WordList {
  words: Uint32Array;
  length = 0;

  constructor(capacity = FIRST_CAPACITY) {
    this.words = new Uint32Array(capacity);
  }

  /** Returns a list of the given words, which it takes over. */
  static of(words: Uint32Array): WordList {
    const list = new WordList(0);
    list.words = words;
    list.length = words.length;
    return list;
  }

  /** Adds `count` words, whatever they hold, and returns the position of the first. */
  take(count: number): number {
    const start = this.length;
    this.length += count;
    if (this.length > this.words.length) {
      const grown = new Uint32Array(Math.max(this.length, 2 * this.words.length));
      grown.set(this.words);
      this.words = grown;
    }
    return start;
  }
}

/** The parts of a transaction that `scanTransaction` has found. */
export class FlatParts implements TransactionParts {
  readonly #list: WordList;
  readonly #at: number;
  readonly #blob: Uint8Array;

  /**
   * @param at position of the transaction's head in `list`
   * @param blob the bytes of the transaction
   */
  constructor(list: WordList, at: number, blob: Uint8Array) {
    this.#list = list;
    this.#at = at;
    this.#blob = blob;
  }

  get version(): 1 | 2 {
    return (this.#word(AT.kind) & 0xff) as 1 | 2;
  }

  get unlockTime(): bigint {
    return this.#u64(AT.unlockTime);
  }

  get inputCount(): number {
    return this.#word(AT.inputs);
  }

  get isCoinbase(): boolean {
    return (this.#word(AT.kind) & FLAGS.coinbase) !== 0;
  }

  get firstRing(): number | undefined {
    return this.keyImageCount === 0 ? undefined : this.#word(AT.firstRing);
  }

  get inputAmount(): bigint {
    return this.#u64(AT.inputAmount);
  }

  get outputCount(): number {
    return this.#word(AT.outputs);
  }

  get extraSize(): number {
    return this.#word(AT.extraSize);
  }

  get rctType(): RctType {
    return rctTypeAt(this.#list, this.#at);
  }

  get rctFee(): bigint {
    return this.#u64(AT.fee);
  }

  get proofRounds(): readonly number[] {
    const rounds = this.#word(AT.rounds);
    return rounds === 0 ? [] : [rounds];
  }

  get keyImageCount(): number {
    return this.isCoinbase ? 0 : this.inputCount;
  }

  keyImage(position: number): Uint8Array {
    return this.#bytes(this.#offsetOf('keyImage', position));
  }

  ringSize(position: number): number {
    return this.#word(this.#input(position) + 1);
  }

  outputAmount(position: number): bigint {
    return this.#u64(this.#output(position) + 1);
  }

  outputKey(position: number): Uint8Array {
    return this.#bytes(this.#offsetOf('outputKey', position));
  }

  commitment(position: number): Uint8Array | undefined {
    const offset = this.#commitmentAt(position);
    return offset === 0 ? undefined : this.#bytes(offset);
  }

  copy(what: CopiedPart, position: number, target: Uint8Array, at: number): void {
    const offset = this.#offsetOf(what, position);
    if (offset === 0) throw new RangeError(`there is no ${what}`);
    const blob = this.#blob;
    for (let i = 0; i < 32; i++) target[at + i] = blob[offset + i] as number;
  }

  /** Returns where a part begins in the bytes of the transaction; 0 for a commitment that it lacks. */
  #offsetOf(what: CopiedPart, position: number): number {
    if (what === 'commitment') return this.#commitmentAt(position);
    if (what === 'outputKey') return this.#word(this.#output(position));
    return this.#word(this.#input(position));
  }

  #commitmentAt(position: number): number {
    const first = this.#word(AT.commitments);
    return first === 0 || position >= this.outputCount ? 0 : first + 32 * position;
  }

  #input(position: number): number {
    checkPosition(position, this.keyImageCount);
    return HEAD + WORDS_PER_INPUT * position;
  }

  #output(position: number): number {
    checkPosition(position, this.outputCount);
    return HEAD + WORDS_PER_INPUT * this.keyImageCount + WORDS_PER_OUTPUT * position;
  }

  #bytes(offset: number): Uint8Array {
    return this.#blob.subarray(offset, offset + 32);
  }

  #word(offset: number): number {
    return this.#list.words[this.#at + offset] as number;
  }

  #u64(offset: number): bigint {
    const high = this.#word(offset + 1);
    const low = this.#word(offset);
    return high === 0 ? BigInt(low) : (BigInt(high) << 32n) | BigInt(low);
  }
}

function checkPosition(position: number, count: number): void {
  if (!(position >= 0 && position < count)) throw new RangeError(`nothing at position ${position}`);
}

/** Returns how the bytes of a transaction, whose head is at a position of a list, are divided. */
export function flatSizes(
  { words }: WordList,
  at: number,
): { size: number; prefixSize: number; unprunedSize: number; pruned: boolean; isBase: boolean } {
  const kind = words[at + AT.kind] as number;
  return {
    size: words[at + AT.size] as number,
    prefixSize: words[at + AT.prefixSize] as number,
    unprunedSize: words[at + AT.unprunedSize] as number,
    pruned: (kind & FLAGS.pruned) !== 0,
    isBase: (kind & FLAGS.base) !== 0,
  };
}

/** Returns the RingCT type of the transaction whose head is at a position; 0 for version 1. */
export function rctTypeAt({ words }: WordList, at: number): RctType {
  return (((words[at + AT.kind] as number) >>> 8) & 0xff) as RctType;
}
