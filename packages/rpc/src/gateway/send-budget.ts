import { ByteBudget } from '@monero-node/base';

/** Bytes of answers that may wait for their readers, over all connections. */
const MAX_UNSENT_BYTES = 512 * 1024 * 1024;

interface Unsent {
  readonly abandon: () => void;
}

/**
 * Bounds the memory of answers that clients are reading: over the limit the oldest are abandoned, so that clients that
 * do not read cannot keep others waiting.
 */
export class SendBudget {
  readonly #budget: ByteBudget;
  /** Oldest first. */
  readonly #unsent = new Set<Unsent>();

  constructor(limit: number = MAX_UNSENT_BYTES) {
    this.#budget = new ByteBudget({ limit });
  }

  /**
   * Adds an answer of `length` bytes and the function that abandons it. Returns the function to call when it is sent
   * or the connection is closed.
   */
  add(bytes: number, abandon: () => void): () => void {
    const entry = { abandon };
    for (const oldest of this.#unsent) {
      if (this.#budget.fits(bytes)) break;
      this.#remove(oldest);
      oldest.abandon();
    }
    this.#unsent.add(entry);
    this.#budget.set(entry, bytes);
    return () => {
      this.#remove(entry);
    };
  }

  #remove(entry: Unsent): void {
    if (this.#unsent.delete(entry)) this.#budget.set(entry, 0);
  }
}
