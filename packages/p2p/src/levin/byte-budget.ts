/** A bound on what many holders keep in memory together. */
export class ByteBudget {
  readonly #limit: number;
  readonly #fairShare: number;
  readonly #held = new Map<object, number>();
  #total = 0;

  /**
   * @param limit bytes for all holders
   * @param fairShare bytes that every holder may keep even when the limit is passed
   */
  constructor(limit: number, fairShare: number) {
    this.#limit = limit;
    this.#fairShare = fairShare;
  }

  get total(): number {
    return this.#total;
  }

  /** Notes what a holder keeps now; false when it has to let go of it. */
  set(holder: object, bytes: number): boolean {
    this.#total += bytes - (this.#held.get(holder) ?? 0);
    if (bytes === 0) this.#held.delete(holder);
    else this.#held.set(holder, bytes);
    return this.#total <= this.#limit || bytes <= this.#fairShare;
  }
}
