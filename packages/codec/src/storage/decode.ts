import { ByteReader } from '../byte-reader.ts';
import { bytesEqual } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import {
  STORAGE_ARRAY_FLAG,
  STORAGE_SIGNATURE,
  STORAGE_TYPE_ARRAY,
  STORAGE_TYPE_IDS,
  type StorageItem,
  type StorageLimits,
  type StorageSection,
  type StorageType,
  type StorageValue,
} from './types.ts';

const TYPES_BY_ID = new Map<number, StorageType>(
  Object.entries(STORAGE_TYPE_IDS).map(([name, id]) => [id, name as StorageType]),
);

/** Fewest bytes an array element is taken to have when its count is judged. */
const MIN_ELEMENT_SIZE: Record<StorageType, number> = {
  int64: 8,
  int32: 4,
  int16: 2,
  int8: 1,
  uint64: 8,
  uint32: 4,
  uint16: 2,
  uint8: 1,
  double: 8,
  string: 2,
  bool: 1,
  object: 1,
};

const MAX_STRING_LENGTH = 2_000_000_000;

/**
 * monerod bounds nesting by counting its own nested reader calls, and refuses a document that reaches 100.
 * To accept exactly the same documents we count what its calls would count: {@link CALLS} says how many
 * calls deep, seen from the call that reads a section (or an array), each element is read.
 */
const MAX_CALL_DEPTH = 100;
const CALLS = {
  rootSection: 1,
  inSection: { count: 4, bool: 5, string: 8, object: 3, array: 2, markedArray: 3 },
  inArray: { count: 5, number: 4, bool: 5, string: 7, object: 3 },
} as const;

/**
 * Decodes a portable storage document. Bytes after the root section are ignored, as the format demands.
 * Strings are views of the input.
 * @param limits bounds on counts; what is not given is bounded by the input size alone.
 * @throws DecodeError on anything malformed, too deep or beyond a limit.
 */
export function decodeStorage(
  bytes: Uint8Array,
  limits: Partial<StorageLimits> = {},
): StorageSection {
  return new StorageDecoder(bytes, limits).document();
}

class StorageDecoder {
  readonly #reader: ByteReader;
  readonly #left: StorageLimits;

  constructor(bytes: Uint8Array, limits: Partial<StorageLimits>) {
    this.#reader = new ByteReader(bytes);
    this.#left = { objects: Infinity, fields: Infinity, strings: Infinity, ...limits };
  }

  document(): StorageSection {
    if (!bytesEqual(this.#reader.bytes(STORAGE_SIGNATURE.length), STORAGE_SIGNATURE)) {
      throw new DecodeError('not a portable storage document');
    }
    return this.#section(CALLS.rootSection);
  }

  #section(depth: number): StorageSection {
    this.#guard(depth + CALLS.inSection.count);
    const count = this.#varint();
    this.#spend('fields', count);
    const section: StorageSection = new Map();
    for (let i = 0; i < count; i++) {
      const start = this.#reader.offset;
      const name = this.#name();
      if (section.has(name)) throw new DecodeError(`duplicate entry "${name}"`, start);
      section.set(name, this.#entry(depth));
    }
    return section;
  }

  #name(): string {
    const bytes = this.#reader.bytes(this.#reader.u8());
    if (bytes.length === 0) throw new DecodeError('entry without a name', this.#reader.offset);
    return String.fromCharCode(...bytes);
  }

  #entry(depth: number): StorageValue {
    const typeByte = this.#reader.u8();
    if (typeByte & STORAGE_ARRAY_FLAG) return this.#array(typeByte, depth + CALLS.inSection.array);
    if (typeByte === STORAGE_TYPE_ARRAY) {
      const elementByte = this.#reader.u8();
      if (!(elementByte & STORAGE_ARRAY_FLAG)) {
        throw new DecodeError('array type expected', this.#reader.offset - 1);
      }
      return this.#array(elementByte, depth + CALLS.inSection.markedArray);
    }
    const type = this.#type(typeByte);
    switch (type) {
      case 'object':
        this.#spend('objects', 1);
        return { type, value: this.#section(depth + CALLS.inSection.object) };
      case 'string':
        this.#guard(depth + CALLS.inSection.string);
        this.#spend('strings', 1);
        return { type, value: this.#string() };
      case 'bool':
        this.#guard(depth + CALLS.inSection.bool);
        return { type, value: this.#bool() };
      case 'int64':
      case 'uint64':
        return { type, value: this.#big(type) };
      default:
        return { type, value: this.#number(type) };
    }
  }

  #array(typeByte: number, depth: number): StorageValue {
    const elementByte = typeByte & ~STORAGE_ARRAY_FLAG;
    // An array of arrays is refused at its first element, so an empty one passes (as no objects).
    const nested = elementByte === STORAGE_TYPE_ARRAY;
    const of = nested ? 'object' : this.#type(elementByte);
    this.#guard(depth + CALLS.inArray.count);
    const start = this.#reader.offset;
    const count = this.#varint();
    if (count > Math.floor(this.#reader.remaining / MIN_ELEMENT_SIZE[of])) {
      throw new DecodeError(`${count} array elements do not fit`, start);
    }
    if (nested && count > 0) throw new DecodeError('array of arrays', start);
    if (of === 'object') this.#spend('objects', count);
    if (of === 'string') this.#spend('strings', count);
    const items: StorageItem[] = [];
    for (let i = 0; i < count; i++) items.push(this.#element(of, depth));
    return { type: 'array', of, items };
  }

  #element(of: StorageType, depth: number): StorageItem {
    switch (of) {
      case 'object':
        return this.#section(depth + CALLS.inArray.object);
      case 'string':
        this.#guard(depth + CALLS.inArray.string);
        return this.#string();
      case 'bool':
        this.#guard(depth + CALLS.inArray.bool);
        return this.#bool();
      case 'int64':
      case 'uint64':
        this.#guard(depth + CALLS.inArray.number);
        return this.#big(of);
      default:
        this.#guard(depth + CALLS.inArray.number);
        return this.#number(of);
    }
  }

  #type(id: number): StorageType {
    const type = TYPES_BY_ID.get(id);
    if (type === undefined) throw new DecodeError(`unknown type ${id}`, this.#reader.offset - 1);
    return type;
  }

  #string(): Uint8Array {
    const start = this.#reader.offset;
    const length = this.#varint();
    if (length >= MAX_STRING_LENGTH) throw new DecodeError('string too long', start);
    return this.#reader.bytes(length);
  }

  #bool(): boolean {
    const byte = this.#reader.u8();
    if (byte > 1) throw new DecodeError(`${byte} is not a boolean`, this.#reader.offset - 1);
    return byte === 1;
  }

  #big(type: 'int64' | 'uint64'): bigint {
    return type === 'int64' ? this.#reader.i64le() : this.#reader.u64le();
  }

  #number(type: 'int32' | 'int16' | 'int8' | 'uint32' | 'uint16' | 'uint8' | 'double'): number {
    switch (type) {
      case 'int32':
        return this.#reader.i32le();
      case 'int16':
        return this.#reader.i16le();
      case 'int8':
        return this.#reader.i8();
      case 'uint32':
        return this.#reader.u32le();
      case 'uint16':
        return this.#reader.u16le();
      case 'uint8':
        return this.#reader.u8();
      case 'double':
        return this.#reader.f64le();
    }
  }

  /** A size: the two low bits of the first byte say how many bytes it has. Not necessarily minimal. */
  #varint(): number {
    const reader = this.#reader;
    const start = reader.offset;
    const first = reader.u8();
    reader.offset = start;
    switch (first & 3) {
      case 0:
        return reader.u8() >>> 2;
      case 1:
        return reader.u16le() >>> 2;
      case 2:
        return reader.u32le() >>> 2;
      default: {
        const value = reader.u64le() >> 2n;
        // Nothing countable is that large; refusing here keeps the rest in exact numbers.
        if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new DecodeError('size too large', start);
        return Number(value);
      }
    }
  }

  #spend(what: keyof StorageLimits, count: number): void {
    if (count > this.#left[what]) throw new DecodeError(`too many ${what}`, this.#reader.offset);
    this.#left[what] -= count;
  }

  #guard(depth: number): void {
    if (depth >= MAX_CALL_DEPTH) throw new DecodeError('nested too deeply', this.#reader.offset);
  }
}
