/** How many streams are open at a time. */
export interface StreamLimits {
  readonly perHost: number;
  readonly total: number;
}

/** Counts the open event streams of a port, by host. */
export class StreamSeats {
  readonly #limits: StreamLimits;
  readonly #perHost = new Map<string, number>();
  #total = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Returns the function that ends the stream of a host, which may be called again; undefined when there are too many. */
  take(host: string): (() => void) | undefined {
    const open = this.#perHost.get(host) ?? 0;
    if (open >= this.#limits.perHost || this.#total >= this.#limits.total) return undefined;
    this.#perHost.set(host, open + 1);
    this.#total++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#release(host);
    };
  }

  #release(host: string): void {
    this.#total--;
    const left = (this.#perHost.get(host) ?? 1) - 1;
    if (left === 0) this.#perHost.delete(host);
    else this.#perHost.set(host, left);
  }
}
