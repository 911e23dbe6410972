import { HASH_SIZE, putHash } from '../../hash-bytes.ts';
import { StorageError } from '../../storage-error.ts';

/** Reads the fields of a stored row; a row too short or too long means a damaged store. */
export class RowReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #table: string;
  readonly #length: number;
  #offset = 0;

  /**
   * @param length bytes of the row, of which `bytes` may be followed by others
   * @param view of `bytes`: to make one takes longer than to read a short row
   */
  constructor(
    table: string,
    bytes: Uint8Array,
    length: number = bytes.length,
    view: DataView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ) {
    this.#table = table;
    this.#bytes = bytes;
    this.#view = view;
    this.#length = length;
  }

  get remaining(): number {
    return this.#length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** A uint64 that was written from a safe integer. */
  num64(): number {
    const value = Number(this.u64());
    if (!Number.isSafeInteger(value)) this.damaged();
    return value;
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  u128(): bigint {
    const low = this.u64();
    return (this.u64() << 64n) | low;
  }

  /** A copy of the next bytes. */
  bytes(length: number): Uint8Array {
    const start = this.#take(length);
    return Uint8Array.prototype.slice.call(this.#bytes, start, start + length);
  }

  /** Copies the 32 bytes of a hash to `to` of an array. */
  putHash(target: Uint8Array, to: number): void {
    putHash(target, to, this.#bytes, this.#take(HASH_SIZE));
  }

  skip(length: number): void {
    this.#take(length);
  }

  seek(offset: number): void {
    this.#offset = 0;
    this.#take(offset);
  }

  /** @throws StorageError `damaged` if anything is left */
  end(): void {
    if (this.remaining !== 0) this.damaged();
  }

  damaged(): never {
    throw new StorageError(
      'damaged',
      `the store is damaged: a row of table ${this.#table} makes no sense`,
    );
  }

  #take(length: number): number {
    const start = this.#offset;
    if (length > this.#length - start) this.damaged();
    this.#offset = start + length;
    return start;
  }
}

/** Transactions or hashes between two pauses: of a megabyte each they take some milliseconds, and to ask the clock each time is dear. */
const PER_STEP = 8;

/** Returns whether a step ends after a transaction or hash at a position. */
export function isPause(position: number): boolean {
  return position % PER_STEP === PER_STEP - 1;
}

/** A buffer in which one row after another is returned. Its own properties are asked for once: that takes longer than to read a short row. */
export class SharedRow {
  readonly source: Uint8Array;
  readonly #whole: Uint8Array;
  readonly #view: DataView;

  /** @param source lmdb sets its `length` to that of each value; `byteLength` is its own */
  constructor(source: Uint8Array) {
    const { buffer, byteOffset, byteLength } = source;
    this.source = source;
    this.#whole = new Uint8Array(buffer, byteOffset, byteLength);
    this.#view = new DataView(buffer, byteOffset, byteLength);
  }

  /** Returns a reader of a row of that many bytes. */
  reader(table: string, length: number): RowReader {
    return new RowReader(table, this.#whole, length, this.#view);
  }
}

/** Bytes of a row from which on it pays that it has memory of its own, which is not filled with zeros first. */
const LARGE_ROW = 4096;
/**
 * Bytes of memory that small rows share: lmdb asks for the address of each piece, and the garbage collector frees each, which takes longer
 * than to write a short row.
 */
const SHARED_SIZE = 64 * 1024;

/** Returns an array that nothing else shares, whose contents are undefined. */
function unfilled(size: number): Uint8Array {
  const { buffer } = Buffer.allocUnsafeSlow(size);
  return new Uint8Array(buffer);
}

/** Where the next small row goes. No byte is given to two rows. */
const shared = { view: new DataView(new ArrayBuffer(SHARED_SIZE)), end: 0 };

/** Returns where so many bytes begin in `shared`, which is exchanged when it is full. */
function takeShared(size: number): number {
  if (shared.end + size > SHARED_SIZE) {
    shared.view = new DataView(new ArrayBuffer(SHARED_SIZE));
    shared.end = 0;
  }
  const start = shared.end;
  shared.end += size;
  return start;
}

/**
 * Writes the fields of a row whose size is known beforehand. Every byte must be written: those of a large row are undefined before. Small
 * rows are views of memory that they share.
 */
export class RowWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** Where the row begins in the view. */
  readonly #start: number;
  #offset = 0;

  constructor(size: number) {
    const isSmall = size < LARGE_ROW;
    this.#start = isSmall ? takeShared(size) : 0;
    this.bytes = isSmall ? new Uint8Array(shared.view.buffer, this.#start, size) : unfilled(size);
    this.#view = isSmall ? shared.view : new DataView(this.bytes.buffer);
  }

  get offset(): number {
    return this.#offset;
  }

  u8(value: number): void {
    this.bytes[this.#advance(1)] = value;
  }

  u32(value: number): void {
    this.#view.setUint32(this.#start + this.#advance(4), value, true);
  }

  u64(value: bigint | number): void {
    this.#view.setBigUint64(this.#start + this.#advance(8), BigInt(value), true);
  }

  u128(value: bigint): void {
    this.u64(value & 0xffff_ffff_ffff_ffffn);
    this.u64(value >> 64n);
  }

  put(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.#advance(bytes.length));
  }

  /** @param source holds the 32 bytes of a hash from `from` on */
  putHash(source: Uint8Array, from: number): void {
    putHash(this.bytes, this.#advance(HASH_SIZE), source, from);
  }

  /** Leaves bytes to be written later. */
  skip(length: number): void {
    this.#advance(length);
  }

  seek(offset: number): void {
    this.#offset = offset;
  }

  #advance(length: number): number {
    const start = this.#offset;
    this.#offset = start + length;
    return start;
  }
}

/** Returns a copy of bytes as a row. */
export function rowOf(bytes: Uint8Array): Uint8Array {
  const row = new RowWriter(bytes.length);
  row.put(bytes);
  return row.bytes;
}
