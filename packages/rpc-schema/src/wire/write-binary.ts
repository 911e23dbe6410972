import { ByteSink } from './byte-sink.ts';
import type { IntegerKind, Kind, Table } from './kinds.ts';
import {
  AnswerShapeError,
  checkedBytes,
  checkedInteger,
  checkedList,
  checkedText,
  chosen,
  ITEMS_PER_STEP,
  presentMembers,
  type Writing,
} from './write.ts';

/** Signature and version of portable storage (p2p.md section 2). */
const HEADER = Uint8Array.of(0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01);

const INTEGER_CODES: Readonly<Record<IntegerKind['name'], { code: number; bytes: number }>> = {
  i64: { code: 1, bytes: 8 },
  i8: { code: 4, bytes: 1 },
  u64: { code: 5, bytes: 8 },
  u32: { code: 6, bytes: 4 },
  u16: { code: 7, bytes: 2 },
  u8: { code: 8, bytes: 1 },
};
const STRING_CODE = 10;
const BOOL_CODE = 11;
const OBJECT_CODE = 12;
const ARRAY_FLAG = 0x80;

/** Writes an object as a portable storage document. Stops between list items, unlike the codec's encoder for small messages. */
export function* writeBinary(sink: ByteSink, table: Table, value: unknown): Writing {
  sink.bytes(HEADER);
  yield* writeSection(sink, table, value);
}

/** An object already written, to be put into documents as it is. */
export class RenderedObject {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Writes an object for later, in one go. */
export function renderObject(table: Table, value: unknown): RenderedObject {
  const sink = new ByteSink();
  const writing = writeSection(sink, table, value);
  while (writing.next().done !== true);
  return new RenderedObject(Buffer.concat(sink.chunks()));
}

function* writeSection(sink: ByteSink, table: Table, value: unknown): Writing {
  if (value instanceof RenderedObject) {
    sink.bytes(value.bytes);
    return;
  }
  const members = presentMembers(table, value);
  writeVarint(sink, members.length);
  for (const [name, kind, member] of members) {
    sink.bytes(nameBytes(name));
    const really = kind.kind === 'choice' ? chosen(kind, member) : kind;
    if (really.kind === 'array') {
      yield* writeArray(sink, really.of, checkedList(member));
    } else {
      sink.u8(typeCode(really));
      if (really.kind === 'object') yield* writeSection(sink, really.table, member);
      else writeScalar(sink, really, member);
    }
  }
}

function* writeArray(sink: ByteSink, of: Kind, items: readonly unknown[]): Writing {
  sink.u8(ARRAY_FLAG | typeCode(of));
  writeVarint(sink, items.length);
  for (let i = 0; i < items.length; i++) {
    if (of.kind === 'object') {
      yield* writeSection(sink, of.table, items[i]);
      yield undefined;
    } else {
      writeScalar(sink, of, items[i]);
      if (i % ITEMS_PER_STEP === 0) yield undefined;
    }
  }
}

/** Writes what is neither an object nor a list. */
function writeScalar(sink: ByteSink, kind: Kind, value: unknown): void {
  switch (kind.kind) {
    case 'integer':
      sink.littleEndian(checkedInteger(kind, value), INTEGER_CODES[kind.name].bytes);
      return;
    case 'bool':
      sink.u8(value === true ? 1 : 0);
      return;
    default:
      writeString(sink, stringParts(kind, value));
  }
}

function stringParts(kind: Kind, value: unknown): readonly Uint8Array[] {
  switch (kind.kind) {
    case 'text':
      return [Buffer.from(checkedText(value), 'utf8')];
    case 'blob':
      return [checkedBytes(value)];
    case 'hex': {
      const bytes = checkedBytes(value);
      return [bytes.length === 0 && kind.size !== undefined ? new Uint8Array(kind.size) : bytes];
    }
    case 'pods':
      return checkedList(value).map(checkedBytes);
    default:
      throw new AnswerShapeError(kind.kind, value);
  }
}

function writeString(sink: ByteSink, parts: readonly Uint8Array[]): void {
  writeVarint(
    sink,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  for (const part of parts) sink.bytes(part);
}

function typeCode(kind: Kind): number {
  switch (kind.kind) {
    case 'integer':
      return INTEGER_CODES[kind.name].code;
    case 'bool':
      return BOOL_CODE;
    case 'object':
      return OBJECT_CODE;
    default:
      return STRING_CODE;
  }
}

/** Count or length: the low two bits of the first byte say how many bytes it takes (1, 2, 4 or 8). */
function writeVarint(sink: ByteSink, value: number): void {
  const size = value < 1 << 6 ? 0 : value < 1 << 14 ? 1 : value < 1 << 30 ? 2 : 3;
  sink.littleEndian(size < 3 ? value * 4 + size : (BigInt(value) << 2n) | 3n, 1 << size);
}

/** Length and letters of a member's name; there are only those of the field tables. */
function nameBytes(name: string): Uint8Array {
  let bytes = NAMES.get(name);
  if (bytes === undefined) {
    bytes = Buffer.from(String.fromCharCode(name.length) + name, 'latin1');
    NAMES.set(name, bytes);
  }
  return bytes;
}

const NAMES = new Map<string, Uint8Array>();
