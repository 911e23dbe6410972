/** Calls of one method. */
export interface MethodUse {
  readonly name: string;
  readonly count: number;
  /** Microseconds in total, waiting included. */
  readonly time: number;
}

/** How often each method was called, and for how long. */
export class MethodUses {
  readonly #uses = new Map<string, { count: number; time: number }>();
  readonly #onFirst: (() => void) | undefined;

  /** @param onFirst called when something is added to none */
  constructor(onFirst?: () => void) {
    this.#onFirst = onFirst;
  }

  /** Adds calls of a method. */
  add({ name, count, time }: MethodUse): void {
    const used = this.#uses.get(name);
    if (used !== undefined) {
      used.count += count;
      used.time += time;
      return;
    }
    const isFirst = this.#uses.size === 0;
    this.#uses.set(name, { count, time });
    if (isFirst) this.#onFirst?.();
  }

  /** Returns the methods that were called, by name. */
  list(): MethodUse[] {
    const all = Array.from(this.#uses, ([name, { count, time }]) => ({ name, count, time }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  clear(): void {
    this.#uses.clear();
  }
}
