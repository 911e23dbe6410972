export interface ByteBudgetOptions {
  /** Bytes that all holders may keep together. */
  readonly limit: number;
  /** Bytes that each holder may keep even when the limit is exceeded; 0 when absent. */
  readonly fairShare?: number;
}

/** Bounds the bytes that many holders keep in memory together. A holder is any object. */
export class ByteBudget {
  readonly #limit: number;
  readonly #fairShare: number;
  readonly #held = new Map<object, number>();
  #total = 0;

  constructor({ limit, fairShare = 0 }: ByteBudgetOptions) {
    this.#limit = limit;
    this.#fairShare = fairShare;
  }

  /** The bytes that all holders keep. */
  get total(): number {
    return this.#total;
  }

  /** Whether the limit leaves room for that many more bytes. */
  fits(bytes: number): boolean {
    return this.#total + bytes <= this.#limit;
  }

  /**
   * Records how many bytes a holder keeps from now on; 0 forgets the holder. Returns false when the limit
   * is exceeded and so is the holder's fair share: the holder must then release its bytes.
   */
  set(holder: object, bytes: number): boolean {
    this.#total += bytes - (this.#held.get(holder) ?? 0);
    if (bytes === 0) this.#held.delete(holder);
    else this.#held.set(holder, bytes);
    return this.#total <= this.#limit || bytes <= this.#fairShare;
  }
}
