import { ByteBudget } from '@monero-node/base';

interface Held {
  bytes: number;
  isAbandoned: boolean;
  readonly abandon: () => void;
}

const NOTHING_HELD = (): void => undefined;

/**
 * Bounds the memory of the requests that the clients of a port send, or of the answers that they read. Over the limit
 * the host with the most bytes loses its oldest one, so that clients that do not go on cannot keep others waiting.
 */
export class MemoryBudget {
  readonly #budget: ByteBudget;
  readonly #limit: number;
  readonly #ignoreBelow: number;
  /** Held bytes of each host, oldest first. */
  readonly #hosts = new Map<object, Set<Held>>();

  /**
   * @param limit bytes over all connections
   * @param ignoreBelow fewer bytes at a time are not counted; the number of connections bounds them
   */
  constructor(limit: number, ignoreBelow = 0) {
    this.#budget = new ByteBudget({ limit });
    this.#limit = limit;
    this.#ignoreBelow = ignoreBelow;
  }

  /** The share of the limit that is held; more than 1 while one item exceeds it. */
  get share(): number {
    return this.#budget.total / this.#limit;
  }

  /**
   * Adds bytes to those of a host, and the function that abandons them. Returns the function to call when they are no
   * longer held.
   */
  add(host: object, bytes: number, abandon: () => void): () => void {
    if (bytes < this.#ignoreBelow) return NOTHING_HELD;
    const count = this.hold(host, abandon);
    count(bytes);
    return () => {
      count(0);
    };
  }

  /**
   * Returns the function that states how many bytes one item of a host holds from now on; none at first. `abandon` ends
   * the item, which counts no more then. An item that is alone may exceed the limit.
   */
  hold(host: object, abandon: () => void): (bytes: number) => void {
    const entry: Held = { bytes: 0, isAbandoned: false, abandon };
    return (bytes) => {
      const counted = entry.isAbandoned || bytes < this.#ignoreBelow ? 0 : bytes;
      if (counted === entry.bytes) return;
      this.#makeRoom(entry, counted - entry.bytes);
      if (!entry.isAbandoned) this.#set(host, entry, counted);
    };
  }

  /** Abandons items until that many more bytes fit, or the entry is abandoned or alone. */
  #makeRoom(entry: Held, bytes: number): void {
    while (bytes > 0 && !entry.isAbandoned && !this.#budget.fits(bytes)) {
      const largest = this.#largest();
      if (largest === undefined || this.#budget.total === entry.bytes) return;
      const { host, oldest } = largest;
      this.#set(host, oldest, 0);
      oldest.isAbandoned = true;
      oldest.abandon();
    }
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

  #set(host: object, entry: Held, bytes: number): void {
    const items = this.#hosts.get(host) ?? new Set();
    if (bytes > 0) items.add(entry);
    else items.delete(entry);
    if (items.size > 0) this.#hosts.set(host, items);
    else this.#hosts.delete(host);
    entry.bytes = bytes;
    this.#budget.set(entry, bytes);
  }
}
