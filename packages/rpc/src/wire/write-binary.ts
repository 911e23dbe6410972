import type { ByteSink } from './byte-sink.ts';
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

function* writeSection(sink: ByteSink, table: Table, value: unknown): Writing {
  const members = presentMembers(table, value);
  sink.bytes(storageVarint(members.length));
  for (const [name, kind, member] of members) {
    sink.latin1(String.fromCharCode(name.length) + name);
    yield* writeEntry(sink, kind, member);
  }
}

function* writeEntry(sink: ByteSink, kind: Kind, value: unknown): Writing {
  if (kind.kind === 'choice') {
    yield* writeEntry(sink, chosen(kind, value), value);
  } else if (kind.kind === 'array') {
    const items = checkedList(value);
    sink.bytes(Uint8Array.of(ARRAY_FLAG | typeCode(kind.of)));
    sink.bytes(storageVarint(items.length));
    for (let i = 0; i < items.length; i++) {
      yield* writeValue(sink, kind.of, items[i]);
      if (i % ITEMS_PER_STEP === 0 || kind.of.kind === 'object') yield undefined;
    }
  } else {
    sink.bytes(Uint8Array.of(typeCode(kind)));
    yield* writeValue(sink, kind, value);
  }
}

function* writeValue(sink: ByteSink, kind: Kind, value: unknown): Writing {
  switch (kind.kind) {
    case 'integer':
      sink.bytes(littleEndian(checkedInteger(kind, value), INTEGER_CODES[kind.name].bytes));
      return;
    case 'bool':
      sink.bytes(Uint8Array.of(value === true ? 1 : 0));
      return;
    case 'object':
      yield* writeSection(sink, kind.table, value);
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
  sink.bytes(storageVarint(parts.reduce((sum, part) => sum + part.length, 0)));
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

function littleEndian(value: bigint | number, size: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return bytes.subarray(0, size);
}

/** Count or length: the low two bits of the first byte say how many bytes it takes (1, 2, 4 or 8). */
function storageVarint(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  const size = value < 1 << 6 ? 0 : value < 1 << 14 ? 1 : value < 1 << 30 ? 2 : 3;
  bytes.writeBigUInt64LE((BigInt(value) << 2n) | BigInt(size));
  return bytes.subarray(0, 1 << size);
}
