import { DecodeError } from '../errors.ts';

/**
 * Compares two names, each a length byte followed by its characters, by their bytes. Returns a negative
 * number, zero or a positive number, as memcmp does; a prefix sorts first.
 */
export function compareNames(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number): number {
  const aLength = a[aStart] as number;
  const bLength = b[bStart] as number;
  const shared = Math.min(aLength, bLength);
  for (let i = 1; i <= shared; i++) {
    const difference = (a[aStart + i] as number) - (b[bStart + i] as number);
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

/** Returns the name at `start` as text with one character per byte. */
export function nameText(bytes: Uint8Array, start: number): string {
  const length = bytes[start] as number;
  return String.fromCharCode(...bytes.subarray(start + 1, start + 1 + length));
}

/**
 * The names of one section, checked for duplicates. Builds no strings while the names arrive in byte order,
 * which is how monerod and this package write them.
 */
export class SectionNames {
  readonly #bytes: Uint8Array;
  readonly #starts: number[] = [];
  #seen: Set<string> | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether every name so far was greater than the one before it. */
  get inOrder(): boolean {
    return this.#seen === undefined;
  }

  /** Adds the name at `start`. Throws DecodeError when the section already has it. */
  add(start: number): void {
    if (this.#seen === undefined) {
      const last = this.#starts.at(-1);
      if (last === undefined || compareNames(this.#bytes, last, this.#bytes, start) < 0) {
        this.#starts.push(start);
        return;
      }
      this.#seen = new Set(this.#starts.map((at) => nameText(this.#bytes, at)));
    }
    const text = nameText(this.#bytes, start);
    if (this.#seen.has(text)) throw new DecodeError(`duplicate entry "${text}"`, start);
    this.#seen.add(text);
  }
}
