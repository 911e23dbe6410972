import { concatBytes } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { ByteSink } from './byte-sink.ts';
import {
  SectionNames,
  StorageCursor,
  nameText,
  skipValue,
  type Entry,
  type Reading,
} from './cursor.ts';
import { FieldValueError } from './field-values.ts';
import {
  ARRAY_FLAG,
  CALLS,
  ELEMENT_BYTES,
  STORAGE_SIGNATURE,
  TYPE_IDS,
  TYPE_NAMES,
  type StorageLimits,
  isIntegerType,
  type StorageType,
} from './format.ts';
import { wireName } from './table.ts';
import { putSize, putString } from './write.ts';

/** Elements of an array: all of the JavaScript type that goes with its `of`. */
export type StorageItem = bigint | number | boolean | Uint8Array | StorageSection;

/** One entry's value. 64-bit integers are bigints; strings are bytes, because nothing says they are text. */
export type StorageValue =
  | { type: 'int64' | 'uint64'; value: bigint }
  | { type: 'int32' | 'int16' | 'int8' | 'uint32' | 'uint16' | 'uint8' | 'double'; value: number }
  | { type: 'string'; value: Uint8Array }
  | { type: 'bool'; value: boolean }
  | { type: 'object'; value: StorageSection }
  | { type: 'array'; of: StorageType; items: StorageItem[] };

/** The entries of a section by name, for documents without a field table. A name has one character (Latin-1) per byte. */
export type StorageSection = Map<string, StorageValue>;

/**
 * Decodes a whole document without a field table, such as an answer that is passed on. Prefer
 * `decodeMessage`, which builds only known fields. Bytes after the root section are ignored. Strings are
 * views of the input.
 *
 * `limits` bounds the counts; those not given are bounded by the input size alone.
 * Throws DecodeError for anything malformed, too deep or beyond a limit.
 */
export function decodeStorage(
  bytes: Uint8Array,
  limits: Partial<StorageLimits> = {},
): StorageSection {
  const cursor = new StorageCursor(bytes, limits);
  cursor.signature();
  return readSection(cursor, CALLS.rootSection);
}

function readSection(cursor: StorageCursor, depth: number): StorageSection {
  const section: StorageSection = new Map();
  const names = new SectionNames(cursor.bytes);
  const count = cursor.openSection(depth);
  for (let i = 0; i < count; i++) {
    const start = cursor.name();
    names.add(start);
    section.set(nameText(cursor.bytes, start), readEntry(cursor, cursor.entry(depth)));
  }
  return section;
}

function readEntry(cursor: StorageCursor, entry: Entry): StorageValue {
  const type = TYPE_NAMES[entry.type] as StorageType;
  if (entry.count === undefined) return { type, value: readItem(cursor, entry) } as StorageValue;
  if (entry.type !== TYPE_IDS.object && entry.type !== TYPE_IDS.string)
    cursor.spendItems(entry.count);
  const items: StorageItem[] = [];
  for (let i = 0; i < entry.count; i++) items.push(readItem(cursor, entry));
  return { type: 'array', of: type, items };
}

function readItem(cursor: StorageCursor, { type, sectionDepth }: Entry): StorageItem {
  if (isIntegerType(type)) return cursor.integer(type);
  switch (type) {
    case TYPE_IDS.object:
      return readSection(cursor, sectionDepth);
    case TYPE_IDS.string:
      return cursor.string();
    case TYPE_IDS.bool:
      return cursor.bool();
    default:
      return cursor.double();
  }
}

/**
 * Encodes a section as monerod does, byte for byte: entries in byte order of their names, the smallest size
 * form, and arrays without elements left out.
 * Throws RangeError for a value its type cannot hold, or a name that is empty, longer than 254 characters or
 * not Latin-1.
 */
export function encodeStorage(section: StorageSection): Uint8Array {
  const sink = new ByteSink();
  sink.bytes(STORAGE_SIGNATURE);
  putSection(sink, section);
  return concatBytes(...sink.chunks());
}

function putSection(sink: ByteSink, section: StorageSection): void {
  const entries = [...section].filter(([, value]) => !isEmptyArray(value));
  // Latin-1 names compare by UTF-16 unit exactly as their bytes do.
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  putSize(sink, entries.length);
  for (const [name, value] of entries) {
    sink.bytes(wireName(name));
    if (value.type === 'array') {
      sink.u8(TYPE_IDS[value.of] | ARRAY_FLAG);
      putSize(sink, value.items.length);
      for (const item of value.items) putItem(sink, value.of, item);
    } else {
      sink.u8(TYPE_IDS[value.type]);
      putItem(sink, value.type, value.value);
    }
  }
}

function isEmptyArray(value: StorageValue): boolean {
  return value.type === 'array' && value.items.length === 0;
}

function putItem(sink: ByteSink, type: StorageType, item: StorageItem): void {
  switch (type) {
    case 'object':
      if (!(item instanceof Map)) throw new FieldValueError(type, item);
      putSection(sink, item);
      return;
    case 'string':
      if (!(item instanceof Uint8Array)) throw new FieldValueError(type, item);
      putString(sink, item);
      return;
    case 'bool':
      if (typeof item !== 'boolean') throw new FieldValueError(type, item);
      sink.u8(item ? 1 : 0);
      return;
    case 'double':
      if (typeof item !== 'number') throw new FieldValueError(type, item);
      sink.double(item);
      return;
    default:
      putInteger(sink, type, item);
  }
}

/** 64-bit integers are bigints, all others numbers. */
function putInteger(sink: ByteSink, type: StorageType, item: StorageItem): void {
  const size = ELEMENT_BYTES[TYPE_IDS[type]] as number;
  const isRightType = size === 8 ? typeof item === 'bigint' : Number.isInteger(item);
  if (!isRightType) throw new FieldValueError(type, item);
  const value = BigInt(item as bigint | number);
  const fits = type.startsWith('u')
    ? BigInt.asUintN(8 * size, value) === value
    : BigInt.asIntN(8 * size, value) === value;
  if (!fits) throw new FieldValueError(type, value);
  sink.littleEndian(value, size);
}

/** Most entries of a root section whose count has one byte. */
const MAX_ENTRIES = 63;

/** An entry of the root section, by where it is. */
export interface TopLevelEntry {
  readonly name: string;
  /** Where the entry begins, with its name, and where it ends. */
  readonly start: number;
  readonly end: number;
  /** The value of a string; undefined for other types. A view. */
  readonly text: Uint8Array | undefined;
}

/**
 * Finds the entries in the bytes of the root section, at most 63, without building their values: for answers that are passed on with few
 * changes. Work is done in steps. Throws DecodeError, as `decodeStorage` does.
 */
export function* findTopLevel(
  bytes: Uint8Array,
  limits: Partial<StorageLimits> = {},
): Reading<TopLevelEntry[]> {
  const cursor = new StorageCursor(bytes, limits);
  cursor.signature();
  const count = cursor.openSection(CALLS.rootSection);
  if (count > MAX_ENTRIES) throw new DecodeError('too many fields', cursor.offset);
  const names = new SectionNames(cursor.bytes);
  const entries: TopLevelEntry[] = [];
  for (let i = 0; i < count; i++) {
    const start = cursor.name();
    names.add(start);
    const entry = cursor.entry(CALLS.rootSection);
    const isText = entry.type === TYPE_IDS.string && entry.count === undefined;
    const text = isText ? cursor.string() : undefined;
    if (!isText) yield* skipValue(cursor, entry);
    entries.push({ name: nameText(cursor.bytes, start), start, end: cursor.offset, text });
  }
  return entries;
}

/** Returns a document of the bytes of entries that were cut out of others, as chunks. Throws RangeError for more than 63. */
export function joinTopLevel(entries: readonly Uint8Array[]): Uint8Array[] {
  if (entries.length > MAX_ENTRIES) throw new RangeError(`${entries.length} entries`);
  return [Uint8Array.of(...STORAGE_SIGNATURE, entries.length << 2), ...entries];
}
