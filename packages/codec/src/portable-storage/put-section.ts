import { concatBytes } from '../bytes.ts';
import { ByteSink } from './byte-sink.ts';
import { ARRAY_FLAG } from './format.ts';
import type { Kind, MappedKind, Table } from './kinds.ts';
import {
  checkedList,
  chosen,
  CountedList,
  fallbackOf,
  isLazy,
  isLeftOut,
  membersOf,
} from './members.ts';
import { putSize } from './put.ts';
import { putValue, typeId } from './put-value.ts';

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
export function sentMembers({ sorted }: Table, value: unknown): SentMember[] {
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
export function putSection(sink: ByteSink, table: Table, value: unknown): void {
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
      putArray(sink, kind.of, checkedList(member));
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
export function isObject(kind: Kind): kind is ObjectKind {
  return kind.kind === 'object' || kind.kind === 'mapped';
}

/** Returns the object of the kind's table that a value is written as. Throws what the kind's conversion throws. */
export function objectOf(kind: ObjectKind, value: unknown): unknown {
  return kind.kind === 'mapped' ? kind.write(value) : value;
}
