import { DecodeError } from '../errors.ts';
import { runAtOnce } from '../steps.ts';
import {
  SectionNames,
  StorageCursor,
  compareNames,
  nameText,
  skipValue,
  type Entry,
  type Mark,
  type Reading,
} from './cursor.ts';
import {
  CALLS,
  INTEGER_TYPES,
  isIntegerType,
  TYPE_IDS,
  TYPE_NAMES,
  type StorageLimits,
} from './format.ts';
import { plainForm, readPlainObject } from './plain-objects.ts';
import type {
  AnyField,
  ChoiceBy,
  ChoiceKind,
  Fields,
  InputOf,
  IntegerKind,
  Kind,
  Table,
} from './table.ts';

/**
 * Reads a document by a field table, as monerod fills its structures: unknown
 * entries are skipped, absent ones get their default, integers convert when they fit, blobs of a wrong size,
 * objects and arrays of a wrong kind count as absent, and any other mismatch fails the whole document. Bytes
 * after the root section are ignored. Byte strings are views of the input.
 *
 * `limits` bounds the counts; those not given are bounded by the input size alone.
 * Throws DecodeError for anything malformed, too deep, beyond a limit or of a type that does not convert.
 * Source: portable_storage_from_bin.h and ../serialization/keyvalue_serialization_overloads.h in
 * contrib/epee/include/storages.
 */
export function decodeMessage<F extends Fields>(
  table: Table<F>,
  bytes: Uint8Array,
  limits?: Partial<StorageLimits>,
): InputOf<F> {
  return runAtOnce(readMessage(table, bytes, limits));
}

/**
 * Reads a document as {@link decodeMessage} does, in steps of about a millisecond, so that a long document does not hold
 * up the process. Do not change the bytes before the end. Throws DecodeError, from any step.
 */
export function* readMessage<F extends Fields>(
  table: Table<F>,
  bytes: Uint8Array,
  limits?: Partial<StorageLimits>,
): Reading<InputOf<F>> {
  const cursor = new StorageCursor(bytes, limits);
  cursor.signature();
  return (yield* readSection(cursor, table, CALLS.rootSection)) as InputOf<F>;
}

/** A choice whose kind was not known yet when its value was reached. */
interface Postponed {
  readonly position: number;
  readonly of: readonly Kind[];
  readonly by: ChoiceBy;
  readonly at: Mark;
}

function* readSection(cursor: StorageCursor, table: Table, depth: number): Reading<unknown> {
  const { sorted, positions } = table;
  const values = new Array<unknown>(sorted.length);
  const postponed: Postponed[] = [];
  const names = new SectionNames(cursor.bytes);
  const count = cursor.openSection(depth);
  let next = 0;
  for (let i = 0; i < count; i++) {
    const start = cursor.name();
    names.add(start);
    let position: number | undefined;
    if (names.inOrder) {
      next = firstNotBefore(table, next, cursor.bytes, start);
      position = isAt(table, next, cursor.bytes, start) ? next : undefined;
    } else {
      position = positions.get(nameText(cursor.bytes, start));
    }
    const kind = position === undefined ? undefined : sorted[position]?.[1].kind;
    if (position === undefined || kind === undefined) {
      yield* skipValue(cursor, cursor.entry(depth));
    } else if (kind.kind === 'choice' && kind.by !== undefined) {
      postponed.push({ position, of: kind.of, by: kind.by, at: cursor.mark() });
      yield* skipValue(cursor, cursor.entry(depth));
    } else {
      values[position] = yield* readValue(cursor, cursor.entry(depth), kind);
    }
    if (cursor.endsStep()) yield;
  }
  const object = objectOf(sorted, values);
  if (postponed.length > 0) yield* readPostponed(cursor, depth, { table, object, postponed });
  return object;
}

/** Position of the first row whose name is not before the one at `start`. */
function firstNotBefore({ sorted }: Table, from: number, bytes: Uint8Array, start: number): number {
  let at = from;
  for (let row = sorted[at]; row !== undefined; row = sorted[++at]) {
    if (compareNames(row[2], 0, bytes, start) >= 0) break;
  }
  return at;
}

function isAt({ sorted }: Table, position: number, bytes: Uint8Array, start: number): boolean {
  const row = sorted[position];
  return row !== undefined && compareNames(row[2], 0, bytes, start) === 0;
}

function objectOf(sorted: Table['sorted'], values: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let i = 0; i < sorted.length; i++) {
    const [name, field] = sorted[i] as Table['sorted'][number];
    const value = values[i];
    object[name] = value === undefined ? defaultOf(field) : value;
  }
  return object;
}

/** The value of a field that is absent; a new one where it could be changed. */
function defaultOf({ kind, presence, fallback }: AnyField): unknown {
  if (fallback === undefined && presence === 'always') {
    if (kind.kind === 'object') return defaultsOf(kind.table);
    if (kind.kind === 'mapped') return kind.read(defaultsOf(kind.table));
  }
  return fallback instanceof Uint8Array && fallback.length > 0 ? fallback.slice() : fallback;
}

/** Returns an object of a table in which every field has its default. */
export function defaultsOf(table: Table): Record<string, unknown> {
  return objectOf(table.sorted, []);
}

/** Reads the choices that depend on other fields, which are known now. */
function* readPostponed(
  cursor: StorageCursor,
  depth: number,
  section: { table: Table; object: Record<string, unknown>; postponed: readonly Postponed[] },
): Reading<void> {
  const { table, object, postponed } = section;
  const end = cursor.mark();
  for (const { position, of, by, at } of postponed) {
    const chosen = of[by.index(object[by.field])];
    if (chosen === undefined) throw new DecodeError('choice out of range', at.offset);
    cursor.goTo(at);
    const value = yield* readValue(cursor, cursor.entry(depth), chosen);
    if (value !== undefined) object[table.sorted[position]?.[0] as string] = value;
  }
  cursor.goTo(end);
}

/** Reads the value of an entry; undefined when it counts as absent. */
function* readValue(cursor: StorageCursor, entry: Entry, kind: Kind): Reading<unknown> {
  if (entry.count !== undefined) return yield* readArray(cursor, entry, kind);
  switch (kind.kind) {
    case 'array':
      return yield* skipValue(cursor, entry);
    case 'choice':
      return yield* readFirstThatFits(cursor, entry, kind);
    case 'object':
    case 'mapped':
      return yield* readObject(cursor, entry, kind);
    case 'pods':
    case 'packed-u64':
      return yield* readPacked(cursor, entry, kind);
    default:
      return readScalar(cursor, entry, kind);
  }
}

function* readArray(cursor: StorageCursor, entry: Entry, kind: Kind): Reading<unknown> {
  switch (kind.kind) {
    case 'array':
      break;
    case 'choice':
      return yield* readFirstThatFits(cursor, entry, kind);
    case 'object':
    case 'mapped':
      return yield* skipValue(cursor, entry);
    default:
      throw wrongConversion('array', kind.kind);
  }
  const { count = 0, type } = entry;
  const wantsObjects = kind.of.kind === 'object' || kind.of.kind === 'mapped';
  if (count === 0 || (wantsObjects && type !== TYPE_IDS.object)) {
    return yield* skipValue(cursor, entry);
  }
  checkCount(kind, count);
  if (kind.of.kind === 'integer') cursor.spendItems(count);
  return yield* readItems(cursor, entry, kind.of);
}

function* readItems(cursor: StorageCursor, entry: Entry, of: Kind): Reading<unknown[]> {
  const { count = 0, type, sectionDepth } = entry;
  const single: Entry = { type, count: undefined, sectionDepth };
  const items: unknown[] = [];
  const plain = of.kind === 'object' ? plainForm(of.table) : undefined;
  for (let i = 0; i < count; i++) {
    const object = plain && readPlainObject(cursor, plain, sectionDepth);
    if (plain !== undefined && object !== undefined) {
      items.push(object);
      if (cursor.endsStep(1 + plain.members.length)) yield;
      continue;
    }
    const item = isScalar(of)
      ? readScalar(cursor, single, of)
      : yield* readValue(cursor, single, of);
    if (item !== undefined) items.push(item);
    if (cursor.endsStep()) yield;
  }
  return items;
}

/** Whether a value of a kind is read in one go. */
function isScalar({ kind }: Kind): boolean {
  return kind === 'integer' || kind === 'blob' || kind === 'hex' || kind === 'text';
}

function checkCount({ max = Infinity }: { readonly max?: number }, count: number): void {
  if (count > max) throw new DecodeError(`${count} list items, at most ${max} are allowed`);
}

function* readObject(
  cursor: StorageCursor,
  entry: Entry,
  kind: Kind & { kind: 'object' | 'mapped' },
): Reading<unknown> {
  if (entry.type !== TYPE_IDS.object) return yield* skipValue(cursor, entry);
  const object = yield* readSection(cursor, kind.table, entry.sectionDepth);
  return kind.kind === 'mapped' ? kind.read(object) : object;
}

/** Reads a list that is packed in a string; undefined when the length does not fit the kind. */
function* readPacked(
  cursor: StorageCursor,
  { type }: Entry,
  kind: Kind & { kind: 'pods' | 'packed-u64' },
): Reading<unknown> {
  if (type !== TYPE_IDS.string) throw wrongConversion(type, 'string');
  const bytes = cursor.string();
  const size = kind.kind === 'pods' ? kind.size : 8;
  if (bytes.length % size !== 0) return undefined;
  const count = bytes.length / size;
  checkCount(kind, count);
  cursor.spendItems(count);
  return kind.kind === 'pods'
    ? yield* unpackPods(cursor, bytes, size)
    : yield* unpackU64s(cursor, bytes);
}

/** Reads one value that is neither a list nor an object. */
function readScalar(cursor: StorageCursor, { type }: Entry, kind: Kind): unknown {
  switch (kind.kind) {
    case 'integer':
      return readInteger(cursor, type, kind);
    case 'bool':
      if (type !== TYPE_IDS.bool) throw wrongConversion(type, 'bool');
      return cursor.bool();
    default:
      if (type !== TYPE_IDS.string) throw wrongConversion(type, 'string');
      return readString(cursor, kind);
  }
}

function readInteger(cursor: StorageCursor, type: number, kind: IntegerKind): number | bigint {
  if (type === INTEGER_TYPES[kind.name] && kind.safe !== true) return cursor.integer(type);
  if (!isIntegerType(type)) throw wrongConversion(type, 'integer');
  return convertInteger(kind, cursor.integer(type));
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads a string; undefined when its length does not fit the kind. */
function readString(cursor: StorageCursor, kind: Kind): unknown {
  const bytes = cursor.string();
  switch (kind.kind) {
    case 'text':
      return UTF8.decode(bytes);
    case 'blob':
      return bytes;
    case 'hex':
      return kind.size === undefined || bytes.length === kind.size ? bytes : undefined;
    default:
      throw wrongConversion(TYPE_IDS.string, kind.kind);
  }
}

/** Reads the first kind of a choice that takes the value. */
function* readFirstThatFits(
  cursor: StorageCursor,
  entry: Entry,
  { of }: ChoiceKind,
): Reading<unknown> {
  const start = cursor.mark();
  let refusal: DecodeError | undefined;
  for (const kind of of) {
    cursor.goTo(start);
    try {
      const value = yield* readValue(cursor, entry, kind);
      if (value !== undefined) return value;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
  return undefined;
}

/** Returns views of the values of `size` bytes each that are joined in `bytes`. */
function* unpackPods(
  cursor: StorageCursor,
  bytes: Uint8Array,
  size: number,
): Reading<Uint8Array[]> {
  const items: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    items.push(bytes.subarray(at, at + size));
    if (cursor.endsStep()) yield;
  }
  return items;
}

/** Returns the little-endian unsigned 64-bit integers that are joined in `bytes`. */
function* unpackU64s(cursor: StorageCursor, bytes: Uint8Array): Reading<bigint[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const items: bigint[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    items.push(view.getBigUint64(at, true));
    if (cursor.endsStep()) yield;
  }
  return items;
}

/**
 * Converts a stored integer: to a bigint for 64-bit kinds that are not `safe`, else to a number. As in monerod, integers
 * convert to each other when the value fits, and other types do not convert. (Releases before 0.18.5.3 took text of digits
 * for an unsigned 64-bit integer.) Source: contrib/epee/include/storages/portable_storage_val_converters.h.
 * Throws DecodeError when the value does not fit the kind or, for a `safe` kind, exceeds 2^53 - 1.
 */
function convertInteger(kind: IntegerKind, value: number | bigint): number | bigint {
  if (value < kind.min || value > kind.max) throw outOfRange(value);
  if (kind.bits < 64) return Number(value);
  if (kind.safe !== true) return BigInt(value);
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new DecodeError(`${value} is not a safe integer`);
  return number;
}

/** Returns the error for a stored type that does not convert to the wanted one. */
function wrongConversion(from: number | 'array', to: string): DecodeError {
  const name = from === 'array' ? from : TYPE_NAMES[from];
  return new DecodeError(`${name} found where ${to} is expected`);
}

function outOfRange(value: number | bigint): DecodeError {
  return new DecodeError(`${value} does not fit the field`);
}
