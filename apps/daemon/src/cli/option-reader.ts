import type { OptionValues } from './option-types.ts';

/** Reads the values of options by type. Names are written without `--`. */
export class OptionReader {
  readonly #values: OptionValues;

  constructor(values: OptionValues) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  flag(name: string): boolean {
    return this.#values.get(name) === true;
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string, fallback: number): number {
    const value = this.#values.get(name);
    return typeof value === 'number' ? value : fallback;
  }

  list(name: string): string[] {
    const value = this.#values.get(name);
    return Array.isArray(value) ? [...(value as readonly string[])] : [];
  }
}
