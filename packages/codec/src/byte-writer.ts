import { assertBytes } from './bytes.ts';

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/** A growing byte buffer with the primitives of Monero's formats. Every method returns the writer itself. */
export class ByteWriter {
  #buffer: Uint8Array;
  #view: DataView;
  #length = 0;

  /** `capacity`: bytes to reserve at first; the buffer doubles when it is full. */
  constructor(capacity = 256) {
    this.#buffer = new Uint8Array(Math.max(capacity, 16));
    this.#view = new DataView(this.#buffer.buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends one byte. */
  u8(value: number): this {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
    return this;
  }

  /** Appends 2 bytes, the low one first. */
  u16le(value: number): this {
    this.#reserve(2);
    this.#view.setUint16(this.#length, value, true);
    this.#length += 2;
    return this;
  }

  /** Appends 4 bytes, the lowest first. */
  u32le(value: number): this {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  /** Appends 8 bytes, the lowest first. Throws RangeError for a value outside 0 … 2^64 - 1. */
  u64le(value: bigint): this {
    if (value < 0n || value > MAX_U64) throw new RangeError('not an unsigned 64-bit value');
    this.#reserve(8);
    this.#view.setBigUint64(this.#length, value, true);
    this.#length += 8;
    return this;
  }

  /** Appends a copy of the bytes. Throws TypeError for anything but bytes: hex would be written as zeros. */
  bytes(bytes: Uint8Array): this {
    assertBytes(bytes, 'bytes');
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Appends a key or hash of 32 bytes. Throws RangeError for any other length, and TypeError for anything but bytes. */
  key(bytes: Uint8Array): this {
    assertBytes(bytes, 'key or hash', 32);
    return this.bytes(bytes);
  }

  /** Appends keys of 32 bytes each, without their count. Throws RangeError for any other length. */
  keys(keys: readonly Uint8Array[]): this {
    for (const key of keys) this.key(key);
    return this;
  }

  /**
   * Appends a Monero varint (see `encodeVarint`).
   * Throws RangeError for a value outside 0 … 2^64 - 1, or a number that is not a safe integer.
   */
  varint(value: bigint | number): this {
    let low: number;
    if (typeof value === 'bigint') {
      if (value < 0n || value > MAX_U64) throw new RangeError('not an unsigned 64-bit value');
      let rest = value;
      // BigInt arithmetic only while the value does not fit a double exactly.
      for (; rest > 0x1f_ffff_ffff_ffffn; rest >>= 7n) this.u8(Number(rest & 0x7fn) | 0x80);
      low = Number(rest);
    } else {
      if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('not a safe integer');
      low = value;
    }
    for (; low >= 0x80; low = Math.floor(low / 0x80)) this.u8((low % 0x80) | 0x80);
    return this.u8(low);
  }

  /** Returns a copy of all bytes written. */
  toBytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
    this.#view = new DataView(grown.buffer);
  }
}
