import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';

const WORD_BITS = 64n;
const WORD_BYTES = 8;

/** Whatever has coordinates. */
interface Coordinates {
  readonly x: bigint;
  readonly y: bigint;
}

/** Bytes of the addon, which has elements as 32 bytes, little-endian, and points as two of them. */
export class Words {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  /** Room for `count` elements. */
  constructor(count: number, bytes: Uint8Array = new Uint8Array(count * ELEMENT_BYTES)) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Appends a number. Throws RangeError unless it is below 2^256, and not negative. */
  push(value: bigint): void {
    let rest = value;
    for (const end = this.#at + ELEMENT_BYTES; this.#at < end; this.#at += WORD_BYTES) {
      this.#view.setBigUint64(this.#at, BigInt.asUintN(64, rest), true);
      rest >>= WORD_BITS;
    }
    if (rest !== 0n) throw new RangeError('no number of 32 bytes');
  }

  /** Elements that have been appended. */
  get length(): number {
    return this.#at / ELEMENT_BYTES;
  }

  /** Elements that there is room for. */
  get room(): number {
    return this.bytes.length / ELEMENT_BYTES;
  }

  /** Makes room for others by forgetting all. */
  clear(): void {
    this.#at = 0;
  }

  /** Appends numbers as `push` does. */
  pushAll(values: readonly bigint[]): void {
    for (const value of values) this.push(value);
  }

  /** Appends a copy of other elements. */
  append({ bytes }: Words): void {
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Returns `count` elements, from element `first` on, whatever has been appended. The memory is the same. */
  part(first: number, count: number): Words {
    const start = first * ELEMENT_BYTES;
    const bytes = this.bytes.subarray(start, start + count * ELEMENT_BYTES);
    const part = new Words(count, bytes);
    part.#at = bytes.length;
    return part;
  }

  /** Appends the coordinates of a point. */
  pushPoint({ x, y }: Coordinates): void {
    this.push(x);
    this.push(y);
  }

  /** Returns element `index`. */
  at(index: number): bigint {
    const start = index * ELEMENT_BYTES;
    let value = 0n;
    for (let at = start + ELEMENT_BYTES - WORD_BYTES; at >= start; at -= WORD_BYTES) {
      value = (value << WORD_BITS) | this.#view.getBigUint64(at, true);
    }
    return value;
  }

  /** Returns `count` elements, from element `first` on. */
  slice(first: number, count: number): bigint[] {
    return Array.from({ length: count }, (_, i) => this.at(first + i));
  }

  /** Returns the first two elements as a point. */
  point(): Coordinates {
    return { x: this.at(0), y: this.at(1) };
  }
}
