import { concatBytes } from '../bytes.ts';
import { ByteSink } from './byte-sink.ts';
import { ARRAY_FLAG, ELEMENT_BYTES, INTEGER_TYPES, STORAGE_SIGNATURE, TYPE_IDS } from './format.ts';
import type { IntegerKind, Kind, Table } from './kinds.ts';
import {
  checkedBytes,
  checkedInteger,
  checkedList,
  checkedText,
  chosen,
  fallbackOf,
  FieldValueError,
  isLazy,
  isLeftOut,
  membersOf,
} from './members.ts';
import { putSize, putString } from './put.ts';
import { finishNow, ITEMS_PER_STEP, type Writing } from './writing.ts';

/**
 * Writes an object as a portable storage document, as monerod does byte for byte: entries in byte order of
 * their names, sizes in the smallest form, lists without items left out. Stops between list items.
 * Throws FieldValueError for a value that its field can't hold.
 */
export function* writeStorage(sink: ByteSink, table: Table, value: unknown): Writing {
  sink.bytes(STORAGE_SIGNATURE);
  yield* writeSection(sink, table, value);
}

/** A section that is written already, to be put into documents unchanged. */
export class RenderedObject {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Writes an object at once, to be used in later documents. Throws FieldValueError. */
export function renderObject(table: Table, value: unknown): RenderedObject {
  const sink = new ByteSink();
  finishNow(writeSection(sink, table, value));
  return new RenderedObject(concatBytes(...sink.chunks()));
}

/** A member that is to be sent. */
interface Member {
  readonly wireName: Uint8Array;
  readonly kind: Kind;
  readonly value: unknown;
}

function* writeSection(sink: ByteSink, table: Table, value: unknown): Writing {
  if (value instanceof RenderedObject) {
    sink.bytes(value.bytes);
    return;
  }
  const given = membersOf(value);
  const members: Member[] = [];
  for (const [name, field, wireName] of table.sorted) {
    let member = given[name] ?? fallbackOf(field);
    if (isLazy(member)) member = yield* collect(member);
    if (isLeftOut(field, member)) continue;
    const { kind } = field;
    members.push({
      wireName,
      kind: kind.kind === 'choice' ? chosen(kind, member) : kind,
      value: member,
    });
  }
  putSize(sink, members.length);
  for (const { wireName, kind, value: member } of members) {
    sink.bytes(wireName);
    if (kind.kind === 'array') {
      yield* writeArray(sink, kind.of, checkedList(member));
    } else {
      sink.u8(typeId(kind));
      if (kind.kind === 'object' || kind.kind === 'mapped') {
        yield* writeSection(sink, kind.table, sectionValue(kind, member));
      } else {
        putScalar(sink, kind, member);
      }
    }
  }
}

function* writeArray(sink: ByteSink, of: Kind, items: readonly unknown[]): Writing {
  sink.u8(ARRAY_FLAG | typeId(of));
  putSize(sink, items.length);
  for (let i = 0; i < items.length; i++) {
    if (of.kind === 'object' || of.kind === 'mapped') {
      yield* writeSection(sink, of.table, sectionValue(of, items[i]));
      yield undefined;
    } else {
      putScalar(sink, of, items[i]);
      if (i % ITEMS_PER_STEP === 0) yield undefined;
    }
  }
}

/** Reads a lazy list to its end: its count is written before its items. */
function* collect(
  items: AsyncIterable<unknown>,
): Generator<Promise<unknown> | undefined, unknown[], unknown> {
  const iterator = items[Symbol.asyncIterator]();
  const collected: unknown[] = [];
  for (;;) {
    const next = (yield iterator.next()) as IteratorResult<unknown>;
    if (next.done === true) return collected;
    collected.push(next.value);
  }
}

function sectionValue(kind: Kind & { kind: 'object' | 'mapped' }, value: unknown): unknown {
  return kind.kind === 'mapped' ? kind.write(value) : value;
}

/** Writes a value that is neither an object nor an array. */
function putScalar(sink: ByteSink, kind: Kind, value: unknown): void {
  switch (kind.kind) {
    case 'integer':
      putInteger(sink, kind, value);
      return;
    case 'bool':
      sink.u8(value === true ? 1 : 0);
      return;
    case 'double':
      if (typeof value !== 'number') throw new FieldValueError('double', value);
      sink.double(value);
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

const U64_RANGE: IntegerKind = {
  kind: 'integer',
  name: 'u64',
  bits: 64,
  min: 0n,
  max: (1n << 64n) - 1n,
};

function putPackedU64s(sink: ByteSink, items: readonly unknown[]): void {
  putSize(sink, items.length * (ELEMENT_BYTES[TYPE_IDS.uint64] as number));
  for (const item of items) putInteger(sink, U64_RANGE, item);
}

function typeId(kind: Kind): number {
  switch (kind.kind) {
    case 'integer':
      return INTEGER_TYPES[kind.name];
    case 'bool':
      return TYPE_IDS.bool;
    case 'double':
      return TYPE_IDS.double;
    case 'object':
    case 'mapped':
      return TYPE_IDS.object;
    default:
      return TYPE_IDS.string;
  }
}
