import { BoundedMap } from './bounded-map.ts';

/** A set of at most a number of values; adding another one drops the oldest. Adding a value again makes it the newest. */
export class BoundedSet<T extends NonNullable<unknown>> {
  readonly #values: BoundedMap<T, 1>;

  /** @param limit most values */
  constructor(limit: number) {
    this.#values = new BoundedMap(limit);
  }

  get size(): number {
    return this.#values.size;
  }

  has(value: T): boolean {
    return this.#values.has(value);
  }

  add(value: T): void {
    this.#values.set(value, 1);
  }

  /** Returns whether the value was in the set. */
  delete(value: T): boolean {
    return this.#values.delete(value);
  }

  clear(): void {
    this.#values.clear();
  }
}
