import { concatBytes } from '../bytes.ts';
import { ByteSink } from './byte-sink.ts';
import {
  CountedList,
  FieldValueError,
  RenderedList,
  checkedBytes,
  checkedInteger,
  checkedList,
  checkedText,
  chosen,
  fallbackOf,
  isLazy,
  isLeftOut,
  membersOf,
} from './field-values.ts';
import { ARRAY_FLAG, INTEGER_TYPES, STORAGE_SIGNATURE, TYPE_IDS } from './format.ts';
import type { Fields, IntegerKind, Kind, MappedKind, OutputOf, Table } from './table.ts';

/**
 * Writes a part of a document in steps, so that the caller can let other work run between them. A step ends
 * with undefined, or with a promise whose result the next step needs.
 */
export type Writing = Generator<Promise<unknown> | undefined, void, unknown>;

/** List items that one step writes. */
export const ITEMS_PER_STEP = 512;

/** Objects without lists that one step writes. */
const OBJECTS_PER_STEP = 32;
const RENDERED_BYTES_PER_STEP = 1 << 16;

/**
 * Returns the bytes of an object as a portable storage document, the same that `writeStorage` writes.
 * Throws FieldValueError for a value that its field can't hold, and TypeError for a lazy list.
 */
export function encodeMessage<F extends Fields>(table: Table<F>, value: OutputOf<F>): Uint8Array {
  const sink = new ByteSink({ capacity: estimatedBytes(value) });
  sink.bytes(STORAGE_SIGNATURE);
  putSection(sink, table, value);
  const [first, ...others] = sink.chunks();
  if (first === undefined) return new Uint8Array(0);
  return others.length === 0 ? plain(first) : concatBytes(first, ...others);
}

const BYTES_PER_VALUE = 16;

/** Returns about the size of a value when it is written, in bytes: enough for byte strings to be copied only once. */
function estimatedBytes(value: unknown): number {
  if (value instanceof Uint8Array) return value.length + BYTES_PER_VALUE;
  if (typeof value === 'string') return value.length + BYTES_PER_VALUE;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  let bytes = BYTES_PER_VALUE;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    bytes += estimatedBytes(member) + BYTES_PER_VALUE;
  }
  return bytes;
}

/** The same memory as a plain Uint8Array, should it be a Buffer. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Writes an object as a portable storage document, with the same bytes as monerod: entries in byte order of
 * their names, sizes in the smallest form, lists without items left out. Stops between list items, so that a
 * long document does not hold up the process, and takes lazy lists; `encodeMessage` is faster for short ones.
 * Throws FieldValueError for a value that its field can't hold.
 * Source: contrib/epee/include/storages/portable_storage_to_bin.h.
 */
export function* writeStorage(sink: ByteSink, table: Table, value: unknown): Writing {
  sink.bytes(STORAGE_SIGNATURE);
  yield* writeSection(sink, table, value);
}

function* writeSection(sink: ByteSink, table: Table, value: unknown): Writing {
  if (!table.hasLists || value instanceof RenderedObject) {
    putSection(sink, table, value);
    return;
  }
  const members = sentMembers(table, yield* withoutLazyLists(value));
  putSize(sink, members.length);
  for (const { wireName, kind, value: member } of members) {
    sink.bytes(wireName);
    if (kind.kind === 'array') {
      if (member instanceof CountedList) yield* writeCounted(sink, kind.of, member);
      else if (member instanceof RenderedList) yield* writeRendered(sink, kind.of, member);
      else yield* writeArray(sink, kind.of, checkedList(member));
    } else {
      sink.u8(typeId(kind));
      if (isObject(kind)) yield* writeSection(sink, kind.table, objectOf(kind, member));
      else putValue(sink, kind, member);
    }
  }
}

function* writeArray(sink: ByteSink, of: Kind, items: readonly unknown[]): Writing {
  sink.u8(ARRAY_FLAG | typeId(of));
  putSize(sink, items.length);
  for (let i = 0; i < items.length; i++) {
    if (isObject(of) && of.table.hasLists) {
      yield* writeSection(sink, of.table, objectOf(of, items[i]));
      yield undefined;
    } else if (isObject(of)) {
      putSection(sink, of.table, objectOf(of, items[i]));
      if (i % OBJECTS_PER_STEP === 0) yield undefined;
    } else {
      putValue(sink, of, items[i]);
      if (i % ITEMS_PER_STEP === 0) yield undefined;
    }
  }
}

function* writeCounted(sink: ByteSink, of: Kind, list: CountedList<unknown>): Writing {
  sink.u8(ARRAY_FLAG | typeId(of));
  putSize(sink, list.length);
  const iterator = list[Symbol.asyncIterator]();
  for (let i = 0; i < list.length; i++) {
    const next = (yield iterator.next()) as IteratorResult<unknown>;
    if (next.done === true) throw new FieldValueError(`list of ${list.length} items`, i);
    if (isObject(of)) yield* writeSection(sink, of.table, objectOf(of, next.value));
    else putValue(sink, of, next.value);
    yield undefined;
  }
}

/** In pieces, so that a client takes a long answer part by part. */
function* writeRendered(sink: ByteSink, of: Kind, list: RenderedList): Writing {
  putRenderedHead(sink, of, list);
  const { bytes } = list;
  for (let at = 0; at < bytes.length; at += RENDERED_BYTES_PER_STEP) {
    sink.bytes(bytes.subarray(at, at + RENDERED_BYTES_PER_STEP));
    yield undefined;
  }
}

function putRenderedHead(sink: ByteSink, of: Kind, { length, bytes }: RenderedList): void {
  if (!isObject(of)) throw new FieldValueError(of.kind, bytes);
  sink.u8(ARRAY_FLAG | typeId(of));
  putSize(sink, length);
}

type Waiting<T> = Generator<Promise<unknown> | undefined, T, unknown>;

/** Returns the members of an object with every lazy list of unknown length read to its end: the count comes first. */
function* withoutLazyLists(value: unknown): Waiting<Readonly<Record<string, unknown>>> {
  const given = membersOf(value);
  const lazy = Object.entries(given).filter(
    ([, member]) => isLazy(member) && !(member instanceof CountedList),
  );
  if (lazy.length === 0) return given;
  const members = { ...given };
  for (const [name, list] of lazy) members[name] = yield* collect(list as AsyncIterable<unknown>);
  return members;
}

function* collect(items: AsyncIterable<unknown>): Waiting<unknown[]> {
  const iterator = items[Symbol.asyncIterator]();
  const collected: unknown[] = [];
  for (;;) {
    const next = (yield iterator.next()) as IteratorResult<unknown>;
    if (next.done === true) return collected;
    collected.push(next.value);
  }
}

/** A section as bytes, which is copied into documents unchanged. */
export class RenderedObject {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Returns an object as a section for later documents. Throws FieldValueError for a value that its field can't hold. */
export function renderObject(table: Table, value: unknown): RenderedObject {
  const sink = new ByteSink();
  putSection(sink, table, value);
  return new RenderedObject(concatBytes(...sink.chunks()));
}

/** A member of an object that is written. */
interface SentMember {
  /** The length of the name, one byte, and its characters. */
  readonly wireName: Uint8Array;
  readonly kind: Kind;
  readonly value: unknown;
}

/**
 * Returns the members of an object that are written, in byte order of their names, each with the kind that
 * its value is written as. Throws TypeError for a lazy list of unknown length.
 */
function sentMembers({ sorted }: Table, value: unknown): SentMember[] {
  const given = membersOf(value);
  const sent: SentMember[] = [];
  for (const [name, field, wireName] of sorted) {
    const member = given[name] ?? fallbackOf(field);
    if (isLazy(member) && !(member instanceof CountedList))
      throw new TypeError('a lazy list cannot be written at once');
    if (isLeftOut(field, member)) continue;
    const { kind } = field;
    const sentAs = kind.kind === 'choice' ? chosen(kind, member) : kind;
    sent.push({ wireName, kind: sentAs, value: member });
  }
  return sent;
}

/**
 * Writes an object as a section, without a pause.
 * Throws FieldValueError for a value that its field can't hold, and TypeError for a lazy list.
 */
function putSection(sink: ByteSink, table: Table, value: unknown): void {
  if (value instanceof RenderedObject) {
    sink.bytes(value.bytes);
    return;
  }
  if (!table.hasLists) {
    putPlainSection(sink, table, value);
    return;
  }
  const members = sentMembers(table, value);
  putSize(sink, members.length);
  for (const { wireName, kind, value: member } of members) {
    sink.bytes(wireName);
    if (kind.kind === 'array') {
      if (member instanceof RenderedList) {
        putRenderedHead(sink, kind.of, member);
        sink.bytes(member.bytes);
      } else putArray(sink, kind.of, checkedList(member));
    } else {
      sink.u8(typeId(kind));
      putItem(sink, kind, member);
    }
  }
}

/** Writes an object without lists, of which answers have thousands: no list of its members is made. */
function putPlainSection(sink: ByteSink, { sorted }: Table, value: unknown): void {
  const given = membersOf(value);
  let count = 0;
  for (const [name, field] of sorted) {
    if (!isLeftOut(field, given[name] ?? fallbackOf(field))) count++;
  }
  putSize(sink, count);
  for (const [name, field, wireName] of sorted) {
    const member = given[name] ?? fallbackOf(field);
    if (isLeftOut(field, member)) continue;
    const kind = field.kind.kind === 'choice' ? chosen(field.kind, member) : field.kind;
    sink.bytes(wireName);
    sink.u8(typeId(kind));
    putItem(sink, kind, member);
  }
}

function putArray(sink: ByteSink, of: Kind, items: readonly unknown[]): void {
  sink.u8(ARRAY_FLAG | typeId(of));
  putSize(sink, items.length);
  for (const item of items) putItem(sink, of, item);
}

function putItem(sink: ByteSink, kind: Kind, value: unknown): void {
  if (isObject(kind)) putSection(sink, kind.table, objectOf(kind, value));
  else putValue(sink, kind, value);
}

/** A kind that is an object on the wire. */
type ObjectKind = (Kind & { kind: 'object' }) | MappedKind;

/** Returns whether values of a kind are objects on the wire. */
function isObject(kind: Kind): kind is ObjectKind {
  return kind.kind === 'object' || kind.kind === 'mapped';
}

/** Returns the object of the kind's table that a value is written as. Throws what the kind's conversion throws. */
function objectOf(kind: ObjectKind, value: unknown): unknown {
  return kind.kind === 'mapped' ? kind.write(value) : value;
}

/** Returns the type byte of a value of that kind; of an array's elements when given the kind of these. */
export function typeId(kind: Kind): number {
  switch (kind.kind) {
    case 'integer':
      return INTEGER_TYPES[kind.name];
    case 'bool':
      return TYPE_IDS.bool;
    case 'object':
    case 'mapped':
      return TYPE_IDS.object;
    default:
      return TYPE_IDS.string;
  }
}

/**
 * Writes a value that is neither an object nor an array, without its type byte.
 * Throws FieldValueError for a value that the kind can't hold.
 */
function putValue(sink: ByteSink, kind: Kind, value: unknown): void {
  switch (kind.kind) {
    case 'integer':
      putInteger(sink, kind, value);
      return;
    case 'bool':
      sink.u8(value === true ? 1 : 0);
      return;
    case 'text':
      putString(sink, new TextEncoder().encode(checkedText(value)));
      return;
    case 'blob':
      putString(sink, checkedBytes(value));
      return;
    case 'hex':
      putHex(sink, checkedBytes(value), kind.size);
      return;
    case 'pods':
      putPods(sink, checkedList(value), kind.size);
      return;
    case 'packed-u64':
      putPackedU64s(sink, checkedList(value));
      return;
    default:
      throw new FieldValueError(kind.kind, value);
  }
}

function putInteger(sink: ByteSink, kind: IntegerKind, value: unknown): void {
  sink.littleEndian(checkedInteger(kind, value), kind.bits / 8);
}

function putHex(sink: ByteSink, bytes: Uint8Array, size: number | undefined): void {
  if (size !== undefined && bytes.length === 0) putString(sink, new Uint8Array(size));
  else putString(sink, checkedBytes(bytes, size));
}

function putPods(sink: ByteSink, items: readonly unknown[], size: number): void {
  putSize(sink, items.length * size);
  for (const item of items) sink.bytes(checkedBytes(item, size));
}

const U64: IntegerKind = {
  kind: 'integer',
  name: 'u64',
  bits: 64,
  min: 0n,
  max: (1n << 64n) - 1n,
};

function putPackedU64s(sink: ByteSink, items: readonly unknown[]): void {
  putSize(sink, items.length * (U64.bits / 8));
  for (const item of items) putInteger(sink, U64, item);
}

/** Writes a count or length in the smallest form; the low two bits of the first byte name the form (1, 2, 4 or 8 bytes). */
export function putSize(sink: ByteSink, size: number): void {
  if (size < 1 << 6) sink.u8(size << 2);
  else if (size < 1 << 14) sink.littleEndian(size * 4 + 1, 2);
  else if (size < 1 << 30) sink.littleEndian(size * 4 + 2, 4);
  else sink.littleEndian((BigInt(size) << 2n) | 3n, 8);
}

/** Writes a string: its length and its bytes. */
export function putString(sink: ByteSink, bytes: Uint8Array): void {
  putSize(sink, bytes.length);
  sink.bytes(bytes);
}
