/** An entry and its neighbors in the order in which entries were set. */
interface Node<K, V> {
  readonly key: K;
  value: V;
  older: Node<K, V> | undefined;
  newer: Node<K, V> | undefined;
}

/**
 * Maps keys to values up to a number of entries; adding another one drops the oldest. An entry becomes
 * the newest when it is set, not when it is read.
 *
 * The order is a list of its own: asking a Map for its first key takes longer the more keys before it were deleted.
 */
export class BoundedMap<K extends NonNullable<unknown>, V extends NonNullable<unknown>> {
  readonly #limit: number;
  readonly #nodes = new Map<K, Node<K, V>>();
  #oldest: Node<K, V> | undefined;
  #newest: Node<K, V> | undefined;

  /**
   * @param limit most entries
   * Throws RangeError unless it is a positive integer.
   */
  constructor(limit: number) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError('a bounded map holds at least one entry');
    }
    this.#limit = limit;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(key: K): V | undefined {
    return this.#nodes.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#nodes.has(key);
  }

  /** Adds or replaces an entry and makes it the newest. */
  set(key: K, value: V): void {
    this.delete(key);
    if (this.#nodes.size === this.#limit && this.#oldest !== undefined) {
      this.delete(this.#oldest.key);
    }
    const node: Node<K, V> = { key, value, older: this.#newest, newer: undefined };
    if (this.#newest === undefined) this.#oldest = node;
    else this.#newest.newer = node;
    this.#newest = node;
    this.#nodes.set(key, node);
  }

  /** Returns whether there was an entry. */
  delete(key: K): boolean {
    const node = this.#nodes.get(key);
    if (node === undefined) return false;
    if (node.older === undefined) this.#oldest = node.newer;
    else node.older.newer = node.newer;
    if (node.newer === undefined) this.#newest = node.older;
    else node.newer.older = node.older;
    return this.#nodes.delete(key);
  }

  clear(): void {
    this.#nodes.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
  }
}
