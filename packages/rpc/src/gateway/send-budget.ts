import { ByteBudget } from '@monero-node/base';

/** Bytes of answers that may wait for their readers, over all connections. */
const MAX_UNSENT_BYTES = 512 * 1024 * 1024;

interface Unsent {
  readonly abandon: () => void;
}

/**
 * Bounds the memory that answers take while clients read them: beyond the limit the oldest are abandoned, so that clients
 * that do not read cannot keep others waiting.
 */
export class SendBudget {
  readonly #budget: ByteBudget;
  /** Oldest first. */
  readonly #unsent = new Set<Unsent>();

  constructor(limit: number = MAX_UNSENT_BYTES) {
    this.#budget = new ByteBudget({ limit });
  }

  /** Notes an answer and how to give it up. The returned function notes that it is sent, or the connection gone. */
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
