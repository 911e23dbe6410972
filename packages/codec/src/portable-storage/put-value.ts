import type { ByteSink } from './byte-sink.ts';
import { INTEGER_TYPES, TYPE_IDS } from './format.ts';
import type { IntegerKind, Kind } from './kinds.ts';
import {
  checkedBytes,
  checkedInteger,
  checkedList,
  checkedText,
  FieldValueError,
} from './members.ts';
import { putSize, putString } from './put.ts';

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
export function putValue(sink: ByteSink, kind: Kind, value: unknown): void {
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
