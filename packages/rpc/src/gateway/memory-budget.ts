import { ByteBudget } from '@monero-node/base';

interface Held {
  readonly bytes: number;
  readonly abandon: () => void;
}

const NOTHING_HELD = (): void => undefined;

/**
 * Bounds the memory of the requests that the clients of a port send, or of the items that they read. Over the limit the
 * host with the most bytes loses its oldest one, so that clients that do not go on cannot keep others waiting.
 */
export class MemoryBudget {
  readonly #budget: ByteBudget;
  readonly #ignoreBelow: number;
  /** Held bytes of each host, oldest first. */
  readonly #hosts = new Map<object, Set<Held>>();

  /**
   * @param limit bytes over all connections
   * @param ignoreBelow fewer bytes at a time are not counted; the number of connections bounds them
   */
  constructor(limit: number, ignoreBelow = 0) {
    this.#budget = new ByteBudget({ limit });
    this.#ignoreBelow = ignoreBelow;
  }

  /**
   * Adds bytes to those of a host, and the function that abandons them. Returns the function to call when they are no
   * longer held.
   */
  add(host: object, bytes: number, abandon: () => void): () => void {
    if (bytes < this.#ignoreBelow) return NOTHING_HELD;
    while (!this.#budget.fits(bytes)) {
      const largest = this.#largest();
      if (largest === undefined) break;
      this.#remove(largest.host, largest.oldest);
      largest.oldest.abandon();
    }
    const entry = { bytes, abandon };
    const items = this.#hosts.get(host);
    if (items === undefined) this.#hosts.set(host, new Set([entry]));
    else items.add(entry);
    this.#budget.set(entry, bytes);
    return () => {
      this.#remove(host, entry);
    };
  }

  #largest(): { readonly host: object; readonly oldest: Held } | undefined {
    let most = -1;
    let largest: { readonly host: object; readonly oldest: Held } | undefined;
    for (const [host, items] of this.#hosts) {
      let bytes = 0;
      for (const item of items) bytes += item.bytes;
      const [oldest] = items;
      if (oldest === undefined || bytes <= most) continue;
      most = bytes;
      largest = { host, oldest };
    }
    return largest;
  }

  #remove(host: object, entry: Held): void {
    const items = this.#hosts.get(host);
    if (items?.delete(entry) !== true) return;
    if (items.size === 0) this.#hosts.delete(host);
    this.#budget.set(entry, 0);
  }
}
