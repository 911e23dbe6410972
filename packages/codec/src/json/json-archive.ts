import { toHex } from '../bytes.ts';

/**
 * Writes JSON with exactly the white space of monerod's serialiser, which clients see as strings inside RPC
 * answers and may compare. Source: src/serialization/json_archive.h.
 */
export class JsonArchive {
  #text = '';
  #depth = 0;
  #atObjectStart = false;
  /**
   * Length given for the array that was opened last, wherever it is: on closing any array it alone decides
   * whether the bracket gets a line of its own.
   */
  #lastArrayLength = 0;

  toString(): string {
    return this.#text;
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

  /** A member's name; its value must follow. */
  member(name: string): this {
    if (!this.#atObjectStart) this.#text += ', ';
    this.#indent();
    this.#text += `"${name}": `;
    this.#atObjectStart = false;
    return this;
  }

  /** An array whose length the serialiser knows when it opens it. */
  countedArray<T>(items: ArrayLike<T>, writeItem: (item: T) => void): void {
    this.#array(items, writeItem, items.length);
  }

  /** An array that the serialiser opens without a length. */
  uncountedArray<T>(items: ArrayLike<T>, writeItem: (item: T) => void): void {
    this.#array(items, writeItem, 0);
  }

  integer(value: number | bigint): void {
    this.#text += value.toString();
  }

  /** One string of hex for all the parts together. */
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
