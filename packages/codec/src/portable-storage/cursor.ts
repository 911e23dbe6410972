import { bytesEqual, plainBytes } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import type { Steps } from '../steps.ts';
import {
  ARRAY_FLAG,
  CALLS,
  ELEMENT_BYTES,
  MARKED_ARRAY,
  MAX_CALL_DEPTH,
  STORAGE_SIGNATURE,
  TYPE_IDS,
  type StorageLimits,
} from './format.ts';

/** Reads a part of a document in steps. */
export type Reading<T> = Steps<T>;

/** Units of work in one step: entries, strings, nested sections and list items. About a millisecond. */
export const UNITS_PER_STEP = 1024;

const MAX_STRING_LENGTH = 2_000_000_000;
const { inSection, inArray } = CALLS;

/** The head of an entry: the type and count of its value, read before the value. */
export interface Entry {
  /** Type id of the value or of the array's elements. */
  readonly type: number;
  /** Number of elements; undefined when the entry is not an array. */
  readonly count: number | undefined;
  /** Call depth at which a section in it is read; see {@link CALLS}. */
  readonly sectionDepth: number;
}

/** A position in a document with the rest of the limits at that position. */
export interface Mark {
  readonly offset: number;
  readonly objects: number;
  readonly fields: number;
  readonly strings: number;
}

/**
 * Reads the parts of a portable storage document in order. Checks the limits, the depth and every count
 * against the bytes that are left before anything is built. Throws only DecodeError.
 */
export class StorageCursor {
  readonly bytes: Uint8Array;
  offset = 0;
  readonly #view: DataView;
  #objects: number;
  #fields: number;
  #strings: number;
  #items: number;
  #units = 0;

  constructor(bytes: Uint8Array, limits: Partial<StorageLimits> = {}) {
    this.bytes = plainBytes(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#objects = limits.objects ?? Infinity;
    this.#fields = limits.fields ?? Infinity;
    this.#strings = limits.strings ?? Infinity;
    this.#items = limits.items ?? Infinity;
  }

  /** Reads the signature. Throws DecodeError when it is not that of portable storage. */
  signature(): void {
    const start = this.take(STORAGE_SIGNATURE.length);
    if (!bytesEqual(this.bytes.subarray(start, this.offset), STORAGE_SIGNATURE)) {
      throw new DecodeError('not a portable storage document');
    }
  }

  /** Reads the number of entries of the section at that call depth. Throws DecodeError beyond the limits. */
  openSection(depth: number): number {
    this.#guard(depth + inSection.count);
    const count = this.#size();
    if (count > this.#fields) throw new DecodeError('too many fields', this.offset);
    this.#fields -= count;
    return count;
  }

  /** Reads a name and returns the offset of its length byte. Throws DecodeError for an empty one. */
  name(): number {
    const start = this.take(1);
    const length = this.bytes[start] as number;
    if (length === 0) throw new DecodeError('entry without a name', this.offset);
    this.take(length);
    return start;
  }

  /** Reads the head of an entry of a section at that call depth. Throws DecodeError. */
  entry(depth: number): Entry {
    const type = this.bytes[this.take(1)] as number;
    if (type & ARRAY_FLAG) return this.#array(type, depth + inSection.array);
    if (type === MARKED_ARRAY) {
      const marked = this.bytes[this.take(1)] as number;
      if (!(marked & ARRAY_FLAG)) throw new DecodeError('array type expected', this.offset - 1);
      return this.#array(marked, depth + inSection.markedArray);
    }
    this.#checkType(type);
    if (type === TYPE_IDS.object) this.#spendObjects(1);
    else if (type === TYPE_IDS.string) {
      this.#guard(depth + inSection.string);
      this.#spendStrings(1);
    } else if (type === TYPE_IDS.bool) this.#guard(depth + inSection.bool);
    return { type, count: undefined, sectionDepth: depth + inSection.object };
  }

  #array(typeByte: number, depth: number): Entry {
    const elementType = typeByte & ~ARRAY_FLAG;
    // monerod refuses an array of arrays at its first element, so an empty one passes. Here it has no objects.
    const nested = elementType === MARKED_ARRAY;
    const type = nested ? TYPE_IDS.object : elementType;
    if (!nested) this.#checkType(type);
    this.#guard(depth + inArray.count);
    const start = this.offset;
    const count = this.#size();
    if (count > Math.floor(this.remaining / (ELEMENT_BYTES[type] as number))) {
      throw new DecodeError(`${count} array elements do not fit`, start);
    }
    if (nested && count > 0) throw new DecodeError('array of arrays', start);
    if (type === TYPE_IDS.object) this.#spendObjects(count);
    else if (type === TYPE_IDS.string) this.#spendStrings(count);
    if (count > 0) this.#guardElements(type, depth);
    return { type, count, sectionDepth: depth + inArray.object };
  }

  /** All elements of an array are read at one depth, so one check is enough. */
  #guardElements(type: number, depth: number): void {
    if (type === TYPE_IDS.object) return;
    if (type === TYPE_IDS.string) this.#guard(depth + inArray.string);
    else if (type === TYPE_IDS.bool) this.#guard(depth + inArray.bool);
    else this.#guard(depth + inArray.number);
  }

  /** Reads one integer of that type: a bigint for 64 bits, else a number. Throws DecodeError. */
  integer(type: number): number | bigint {
    const at = this.take(ELEMENT_BYTES[type] as number);
    switch (type) {
      case TYPE_IDS.int64:
        return this.#view.getBigInt64(at, true);
      case TYPE_IDS.int32:
        return this.#view.getInt32(at, true);
      case TYPE_IDS.int16:
        return this.#view.getInt16(at, true);
      case TYPE_IDS.int8:
        return this.#view.getInt8(at);
      case TYPE_IDS.uint64:
        return this.#view.getBigUint64(at, true);
      case TYPE_IDS.uint32:
        return this.#view.getUint32(at, true);
      case TYPE_IDS.uint16:
        return this.#view.getUint16(at, true);
      default:
        return this.#view.getUint8(at);
    }
  }

  /** Reads a double. Throws DecodeError. */
  double(): number {
    return this.#view.getFloat64(this.take(8), true);
  }

  /** Reads a boolean. Throws DecodeError for a byte above 1. */
  bool(): boolean {
    const byte = this.bytes[this.take(1)] as number;
    if (byte > 1) throw new DecodeError(`${byte} is not a boolean`, this.offset - 1);
    return byte === 1;
  }

  /** Reads a string and returns a view of the input. Throws DecodeError. */
  string(): Uint8Array {
    return this.bytes.subarray(this.skipString(), this.offset);
  }

  /** Moves past a string and returns where its bytes start. Throws DecodeError. */
  skipString(): number {
    const start = this.offset;
    const length = this.#size();
    if (length >= MAX_STRING_LENGTH) throw new DecodeError('string too long', start);
    return this.take(length);
  }

  /** Bytes not read yet. */
  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** Moves past that many bytes and returns where they start. Throws DecodeError when fewer are left. */
  take(count: number): number {
    const start = this.offset;
    if (count > this.bytes.length - start) {
      throw new DecodeError(`${count} bytes needed, ${this.remaining} left`, start);
    }
    this.offset = start + count;
    return start;
  }

  /** Counts units of work. Returns true when a step is over and another begins. */
  endsStep(units = 1): boolean {
    this.#units += units;
    if (this.#units < UNITS_PER_STEP) return false;
    this.#units = 0;
    return true;
  }

  /**
   * Moves past booleans and checks them. They count as list items, because each byte has to be looked at.
   * Throws DecodeError for a byte above 1 or beyond the limit.
   */
  skipBools(count: number): void {
    this.spendItems(count);
    const start = this.take(count);
    const { bytes } = this;
    for (let at = start; at < start + count; at++) {
      if ((bytes[at] as number) > 1) throw new DecodeError(`${bytes[at]} is not a boolean`, at);
    }
  }

  /** Counts list items that are about to be built. Throws DecodeError beyond the limit. */
  spendItems(count: number): void {
    if (count > this.#items) throw new DecodeError('too many list items', this.offset);
    this.#items -= count;
  }

  /** Returns the current position and the rest of the limits. */
  mark(): Mark {
    return {
      offset: this.offset,
      objects: this.#objects,
      fields: this.#fields,
      strings: this.#strings,
    };
  }

  /** Goes back to a mark, or forward to one set before going back. */
  goTo(mark: Mark): void {
    this.offset = mark.offset;
    this.#objects = mark.objects;
    this.#fields = mark.fields;
    this.#strings = mark.strings;
  }

  /** Reads a size: the two low bits of its first byte say how many bytes it has. It need not be minimal. */
  #size(): number {
    const start = this.offset;
    const form = (this.bytes[this.take(1)] as number) & 3;
    this.offset = start;
    switch (form) {
      case 0:
        return (this.bytes[this.take(1)] as number) >>> 2;
      case 1:
        return this.#view.getUint16(this.take(2), true) >>> 2;
      case 2:
        return this.#view.getUint32(this.take(4), true) >>> 2;
      default: {
        const size = this.#view.getBigUint64(this.take(8), true) >> 2n;
        // No document has that many, and a smaller count is an exact number.
        if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new DecodeError('size too large', start);
        return Number(size);
      }
    }
  }

  #checkType(type: number): void {
    if (type < TYPE_IDS.int64 || type > TYPE_IDS.object) {
      throw new DecodeError(`unknown type ${type}`, this.offset - 1);
    }
  }

  #spendObjects(count: number): void {
    if (count > this.#objects) throw new DecodeError('too many objects', this.offset);
    this.#objects -= count;
  }

  #spendStrings(count: number): void {
    if (count > this.#strings) throw new DecodeError('too many strings', this.offset);
    this.#strings -= count;
  }

  #guard(depth: number): void {
    if (depth >= MAX_CALL_DEPTH) throw new DecodeError('nested too deeply', this.offset);
  }
}

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

/**
 * Moves past the value of an entry without building it. Elements of fixed size are jumped over at once;
 * nested sections and booleans are checked as if they were read. Throws DecodeError.
 */
export function* skipValue(
  cursor: StorageCursor,
  { type, count = 1, sectionDepth }: Entry,
): Reading<void> {
  switch (type) {
    case TYPE_IDS.object:
      for (let i = 0; i < count; i++) yield* skipSection(cursor, sectionDepth);
      return;
    case TYPE_IDS.string:
      for (let i = 0; i < count; i++) {
        cursor.skipString();
        if (cursor.endsStep()) yield;
      }
      return;
    case TYPE_IDS.bool:
      cursor.skipBools(count);
      return;
    default:
      cursor.take(count * (ELEMENT_BYTES[type] as number));
  }
}

function* skipSection(cursor: StorageCursor, depth: number): Reading<void> {
  const count = cursor.openSection(depth);
  if (cursor.endsStep()) yield;
  if (count === 0) return;
  const names = new SectionNames(cursor.bytes);
  for (let i = 0; i < count; i++) {
    names.add(cursor.name());
    yield* skipValue(cursor, cursor.entry(depth));
    if (cursor.endsStep()) yield;
  }
}
