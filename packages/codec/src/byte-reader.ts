import { plainBytes } from './bytes.ts';
import { DecodeError } from './errors.ts';

/** Bits from which a shift leaves the range where doubles count exactly: 7 groups of 7 bits. */
const EXACT_SHIFT = 49;

/**
 * Reads bounded binary input front to back. Nothing it returns is larger than the input, and every failure
 * is a DecodeError with the offset. Byte strings are views of the input, never copies.
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

  u8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  u16le(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32le(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  u64le(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  /** The next `count` bytes as a view of the input. Throws DecodeError when fewer are left. */
  bytes(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#bytes.subarray(start, start + count);
  }

  /** A view of input already read or still to come; used to hash regions without copying. */
  slice(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  /**
   * A varint of at most `maxBits` bits.
   *
   * Rejected: a value that needs more bits, and a last byte of zero after the first (not minimal). When the
   * input ends inside a varint after at least one byte, what was read so far counts as the value: the
   * reference reader does so, and the rule is visible for a varint that ends a blob. Source:
   * src/common/varint.h, read_varint.
   * Throws DecodeError when it is malformed.
   */
  varint(maxBits: 8 | 32 | 64 = 64): bigint {
    const low = this.#varintLow(maxBits);
    if (low >= 0) return low === 0 ? 0n : BigInt(low);
    return this.#varintHigh(-low - 1, maxBits);
  }

  /**
   * A varint as a number. `max` (a safe integer) is the highest value accepted; the wire format still is
   * that of a 64-bit varint unless `maxBits` says otherwise.
   * Throws DecodeError when greater than `max`.
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

  /**
   * A varint element count, refused when that many elements of at least `minElementSize` bytes cannot fit
   * into the rest of the input, so that callers may allocate for it.
   * Throws DecodeError when it is malformed.
   */
  count(minElementSize: number): number {
    const start = this.offset;
    const count = this.varintNumber();
    if (count * minElementSize > this.remaining) {
      throw new DecodeError(`${count} elements do not fit into ${this.remaining} bytes`, start);
    }
    return count;
  }

  /** `count` 32-byte keys or hashes, as views. The room is checked before anything is allocated. */
  keys(count: number): Uint8Array[] {
    this.need(count * 32);
    const keys: Uint8Array[] = [];
    for (let i = 0; i < count; i++) keys.push(this.bytes(32));
    return keys;
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
   * The varint if its groups end within 49 bits, else -1 - (the first 49 bits), with the offset behind
   * these seven bytes.
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

  /** Continues a varint whose first seven bytes gave `low`. */
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
