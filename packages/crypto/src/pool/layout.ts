// The bytes of a message to a worker. The engine's own copy of a check (structured clone) costs the sender several
// microseconds for each of its many small arrays, and the receiver as much.
import { isAmount } from '../proofs/shapes.ts';

const FIRST_CAPACITY = 8192;
/** Bytes of a length or a count. */
const NUMBER_SIZE = 4;
const AMOUNT_SIZE = 8;
/** Up to this many bytes a loop takes less time than a call of `set`. */
const SHORT = 64;

/** Writes fields one after another to a buffer that grows. */
export class FieldWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  /** Appends a number below 2^32. */
  number(value: number): void {
    this.#reserve(NUMBER_SIZE);
    this.#view.setUint32(this.#size, value, true);
    this.#size += NUMBER_SIZE;
  }

  /** Appends an amount. One that does not fit into 64 bits is read as -1, which is no amount either. */
  amount(value: bigint): void {
    this.number(isAmount(value) ? 1 : 0);
    this.#reserve(AMOUNT_SIZE);
    this.#view.setBigUint64(this.#size, BigInt.asUintN(64, value), true);
    this.#size += AMOUNT_SIZE;
  }

  /** Appends a copy of an array of any length. */
  bytes(value: Uint8Array): void {
    const { length } = value;
    this.number(length);
    this.#reserve(length);
    if (length > SHORT) {
      this.#bytes.set(value, this.#size);
    } else {
      const bytes = this.#bytes;
      const start = this.#size;
      for (let i = 0; i < length; i++) bytes[start + i] = value[i] as number;
    }
    this.#size += length;
  }

  /** Bytes written. */
  get size(): number {
    return this.#size;
  }

  /** Returns a copy of all bytes written, over a buffer of its own. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#size);
  }

  /** Starts over. */
  clear(): void {
    this.#size = 0;
  }

  #reserve(count: number): void {
    if (this.#size + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#size + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Reads the fields that a FieldWriter has written. Byte arrays are views of the bytes. */
export class FieldReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether all bytes have been read. */
  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  number(): number {
    const value = this.#view.getUint32(this.#offset, true);
    this.#offset += NUMBER_SIZE;
    return value;
  }

  amount(): bigint {
    const fits = this.number() === 1;
    const value = this.#view.getBigUint64(this.#offset, true);
    this.#offset += AMOUNT_SIZE;
    return fits ? value : -1n;
  }

  bytes(): Uint8Array {
    const length = this.number();
    const value = this.#bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return value;
  }
}

/** How values of one type are written and read. */
export interface Layout<T> {
  write(writer: FieldWriter, value: T): void;
  read(reader: FieldReader): T;
}

/** A byte array of any length. */
export const BYTE_STRING: Layout<Uint8Array> = {
  write: (writer, value) => writer.bytes(value),
  read: (reader) => reader.bytes(),
};

/** A number below 2^32. */
export const NUMBER: Layout<number> = {
  write: (writer, value) => writer.number(value),
  read: (reader) => reader.number(),
};

/** An amount in atomic units. */
export const AMOUNT: Layout<bigint> = {
  write: (writer, value) => writer.amount(value),
  read: (reader) => reader.amount(),
};

/** Values of one layout, in order. */
export function listOf<T>(item: Layout<T>): Layout<readonly T[]> {
  return {
    write: (writer, list) => {
      writer.number(list.length);
      for (const value of list) item.write(writer, value);
    },
    read: (reader) => Array.from({ length: reader.number() }, () => item.read(reader)),
  };
}

/** An object with the fields named, in that order; others are left out. */
export function record<T extends object>(fields: {
  readonly [K in keyof T]-?: Layout<T[K]>;
}): Layout<T> {
  const entries = Object.entries(fields) as [keyof T, Layout<T[keyof T]>][];
  return {
    write: (writer, value) => {
      for (const [name, layout] of entries) layout.write(writer, value[name]);
    },
    read: (reader) => {
      const value: Partial<T> = {};
      for (const [name, layout] of entries) value[name] = layout.read(reader);
      return value as T;
    },
  };
}
