import { toHex } from '../bytes.ts';
import type { JsonObject } from './json-parser.ts';
import { parseJson64 } from './json64.ts';

/**
 * Writes JSON with the white space of monerod's serializer: clients get it as strings in RPC answers and may
 * compare it. Source: src/serialization/json_archive.h.
 */
export class JsonArchive {
  #text = '';
  #depth = 0;
  #atObjectStart = false;
  /**
   * Length of the array that was opened last, at any depth. When any array is closed, it alone decides whether
   * the bracket starts a new line.
   */
  #lastArrayLength = 0;

  toString(): string {
    return this.#text;
  }

  /**
   * Returns the text as an object. Objects without prototype are for names that strangers choose; these are fixed, and
   * ordinary objects print better.
   */
  toObject(): JsonObject {
    return structuredClone(parseJson64(this.#text)) as JsonObject;
  }

  object(writeMembers: () => void): void {
    this.#text += '{';
    this.#depth++;
    this.#atObjectStart = true;
    writeMembers();
    this.#depth--;
    this.#indent();
    this.#text += '}';
  }

  /** Writes a member's name; its value must follow. */
  member(name: string): this {
    if (!this.#atObjectStart) this.#text += ', ';
    this.#indent();
    this.#text += `"${name}": `;
    this.#atObjectStart = false;
    return this;
  }

  /** Writes an array that the serializer opens with its length. */
  countedArray<T>(items: ArrayLike<T>, writeItem: (item: T) => void): void {
    this.#array(items, writeItem, items.length);
  }

  /** Writes an array that the serializer opens without a length. */
  uncountedArray<T>(items: ArrayLike<T>, writeItem: (item: T) => void): void {
    this.#array(items, writeItem, 0);
  }

  integer(value: number | bigint): void {
    this.#text += value.toString();
  }

  /** Writes all parts as one string of hex. */
  hex(...parts: readonly Uint8Array[]): void {
    this.#text += '"';
    for (const part of parts) this.#text += toHex(part);
    this.#text += '"';
  }

  #array<T>(items: ArrayLike<T>, writeItem: (item: T) => void, length: number): void {
    this.#lastArrayLength = length;
    this.#depth++;
    this.#text += '[ ';
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.#text += ', ';
      writeItem(items[i] as T);
    }
    this.#depth--;
    if (this.#lastArrayLength > 0) this.#indent();
    this.#text += ']';
  }

  #indent(): void {
    this.#text += '\n' + '  '.repeat(this.#depth);
  }
}
