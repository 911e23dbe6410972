import { plainBytes } from './bytes.ts';
import { DecodeError } from './errors.ts';

/** Bits of the groups that a double can hold exactly: 7 groups of 7 bits. */
const EXACT_SHIFT = 49;

/**
 * Reads binary input from front to back. It returns nothing larger than the input, and every failure is a
 * DecodeError with the offset. Byte strings are views of the input, never copies.
 */
export class ByteReader {
  /** Position of the next byte. */
  offset = 0;
  /**
   * Whether a varint was cut off by the end of the input and accepted nevertheless (see {@link varint}).
   * The bytes are then not the canonical encoding of what was read.
   */
  sawTruncatedVarint = false;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = plainBytes(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Bytes not read yet. */
  get remaining(): number {
    return this.#bytes.length - this.offset;
  }

  /** Reads one byte. Throws DecodeError at the end of the input. */
  u8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  /** Reads 2 bytes, the low one first. Throws DecodeError when fewer are left. */
  u16le(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  /** Reads 4 bytes, the lowest first. Throws DecodeError when fewer are left. */
  u32le(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** Reads 8 bytes, the lowest first. Throws DecodeError when fewer are left. */
  u64le(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  /** Reads `count` bytes and returns them as a view of the input. Throws DecodeError when fewer are left. */
  bytes(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#bytes.subarray(start, start + count);
  }

  /** Returns a view of the input between two offsets, read or not; used to hash regions without copying. */
  slice(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  /**
   * Reads a varint of at most `maxBits` bits. When the input ends inside a varint after at least one byte, the
   * groups read so far make the value, as in monerod; this matters for a varint at the end of a blob.
   * Throws DecodeError for a value of more bits, a last byte of zero after the first (not minimal), or no byte.
   * Source: read_varint in src/common/varint.h.
   */
  varint(maxBits: 8 | 32 | 64 = 64): bigint {
    const low = this.#varintLow(maxBits);
    if (low >= 0) return low === 0 ? 0n : BigInt(low);
    return this.#varintHigh(-low - 1, maxBits);
  }

  /**
   * Reads a varint of at most `maxBits` bits as a number. `max`, a safe integer, is the highest value accepted.
   * Throws DecodeError when it is malformed or greater than `max`.
   */
  varintNumber(max: number = Number.MAX_SAFE_INTEGER, maxBits: 8 | 32 | 64 = 64): number {
    const start = this.offset;
    const low = this.#varintLow(maxBits);
    if (low >= 0) {
      if (low > max) throw new DecodeError(`number above ${max}`, start);
      return low;
    }
    const value = this.#varintHigh(-low - 1, maxBits);
    if (value > BigInt(max)) throw new DecodeError(`number above ${max}`, start);
    return Number(value);
  }

  /** Reads a varint of at most 64 bits into two words, the low one first. Throws DecodeError as `varint` does. */
  varintInto(words: Uint32Array, at: number): void {
    const low = this.#varintLow(64);
    if (low >= 0) {
      words[at] = low;
      words[at + 1] = low / 2 ** 32;
      return;
    }
    const value = this.#varintHigh(-low - 1, 64);
    words[at] = Number(value & 0xffff_ffffn);
    words[at + 1] = Number(value >> 32n);
  }

  /** Reads `count` varints of at most 64 bits for their form alone. Throws DecodeError as `varint` does. */
  passVarints(count: number): void {
    for (let left = count; left > 0; left--) {
      const low = this.#varintLow(64);
      if (low < 0) this.#varintHigh(-low - 1, 64);
    }
  }

  /**
   * Reads a varint that counts elements of at least `minElementSize` bytes each. Callers may allocate for the
   * count, because that many elements fit into the rest of the input.
   * Throws DecodeError when it is malformed or the elements do not fit.
   */
  count(minElementSize: number): number {
    const start = this.offset;
    const count = this.varintNumber();
    if (count * minElementSize > this.remaining) {
      throw new DecodeError(`${count} elements do not fit into ${this.remaining} bytes`, start);
    }
    return count;
  }

  /** Reads `count` keys or hashes of 32 bytes as views. Throws DecodeError, before it allocates, when they do not fit. */
  keys(count: number): Uint8Array[] {
    this.need(count * 32);
    const keys: Uint8Array[] = [];
    for (let i = 0; i < count; i++) keys.push(this.bytes(32));
    return keys;
  }

  /** Skips `count` bytes. Throws DecodeError when fewer are left. */
  skip(count: number): void {
    this.#take(count);
  }

  /** Skips `count` varints, whatever they hold. Throws DecodeError when fewer are left. */
  skipVarints(count: number): void {
    const bytes = this.#bytes;
    let position = this.offset;
    for (let left = count; left > 0; position++) {
      if (position >= bytes.length) throw new DecodeError('varint expected, input ended', position);
      if ((bytes[position] as number) < 0x80) left--;
    }
    this.offset = position;
  }

  /** Throws DecodeError unless at least `count` bytes are left. */
  need(count: number): void {
    if (!(count <= this.remaining)) {
      throw new DecodeError(`${count} bytes needed, ${this.remaining} left`, this.offset);
    }
  }

  /** Throws DecodeError unless all input was read. */
  end(): void {
    if (this.remaining !== 0)
      throw new DecodeError(`${this.remaining} bytes left over`, this.offset);
  }

  #take(count: number): number {
    if (!(count >= 0)) throw new DecodeError('negative length', this.offset);
    this.need(count);
    const start = this.offset;
    this.offset += count;
    return start;
  }

  /**
   * Reads up to seven bytes of a varint. Returns its value if it ends there, else -1 - (the first 49 bits).
   */
  #varintLow(maxBits: number): number {
    const bytes = this.#bytes;
    let position = this.offset;
    if (position >= bytes.length) throw new DecodeError('varint expected, input ended', position);
    let value = 0;
    let scale = 1;
    for (let shift = 0; shift < EXACT_SHIFT; shift += 7) {
      if (position >= bytes.length) {
        this.sawTruncatedVarint = true;
        this.offset = position;
        return value;
      }
      const byte = bytes[position] as number;
      if (shift + 7 >= maxBits && byte >= 2 ** (maxBits - shift)) {
        throw new DecodeError(`varint exceeds ${maxBits} bits`, position);
      }
      if (byte === 0 && shift !== 0) throw new DecodeError('varint is not minimal', position);
      position++;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.offset = position;
        return value;
      }
      scale *= 0x80;
    }
    this.offset = position;
    return -1 - value;
  }

  /** Reads the rest of a varint whose first seven bytes hold the value `low`. */
  #varintHigh(low: number, maxBits: number): bigint {
    let value = BigInt(low);
    for (let shift = EXACT_SHIFT; ; shift += 7) {
      if (this.remaining === 0) {
        this.sawTruncatedVarint = true;
        return value;
      }
      const byte = this.#bytes[this.offset] as number;
      if (shift + 7 >= maxBits && byte >= 2 ** (maxBits - shift)) {
        throw new DecodeError(`varint exceeds ${maxBits} bits`, this.offset);
      }
      if (byte === 0) throw new DecodeError('varint is not minimal', this.offset);
      this.offset++;
      value |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) return value;
    }
  }
}
