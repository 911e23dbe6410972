import type {
  Fields,
  InputOf,
  IntegerKind,
  Kind,
  Table,
} from '@monero-node/codec/portable-storage';
import { wireText, type WireObject, type WireValue } from './value.ts';

/** A request field holds a value that its type can't take: HTTP 400 or JSON-RPC -32602. */
export class FieldTypeError extends Error {
  constructor(kind: string) {
    super(`value does not fit a field of type ${kind}`);
    this.name = 'FieldTypeError';
  }
}

/**
 * Reads an object by its field table. Unknown members are ignored, absent ones get their default.
 * Throws FieldTypeError for a value that can't be converted; some mismatches count as absent instead, see `readKind`.
 */
export function readTable<F extends Fields>(table: Table<F>, object: WireObject): InputOf<F> {
  const result: Record<string, unknown> = {};
  for (const [name, field] of table.sorted) {
    const wire = object.get(name);
    result[name] = (wire === undefined ? undefined : readKind(field.kind, wire)) ?? field.fallback;
  }
  return result as InputOf<F>;
}

/**
 * Converts a value as epee does; undefined when it counts as absent: anything but an array for an array, anything but
 * an object for an object, and a blob of the wrong size for values of fixed size. Throws FieldTypeError for any other
 * value that does not fit.
 */
export function readKind(kind: Kind, wire: WireValue): unknown {
  switch (kind.kind) {
    case 'integer':
      return readInteger(kind, wire);
    case 'bool':
      if (typeof wire !== 'boolean') throw new FieldTypeError('bool');
      return wire;
    case 'text':
      return wireText(readString(wire));
    case 'blob':
      return readString(wire);
    case 'hex': {
      const bytes = readString(wire);
      return kind.size === undefined || bytes.length === kind.size ? bytes : undefined;
    }
    case 'pods':
      return readPods(readString(wire), kind.size);
    case 'array':
      return readArray(kind.of, wire);
    case 'object':
      return wire instanceof Map ? readTable(kind.table, wire) : undefined;
    default:
      throw new FieldTypeError(kind.kind);
  }
}

function readInteger(kind: IntegerKind, wire: WireValue): bigint | number {
  const value = kind.name === 'u64' && wire instanceof Uint8Array ? readDigits(wire) : wire;
  if (
    (typeof value !== 'number' && typeof value !== 'bigint') ||
    value < kind.min ||
    value > kind.max
  ) {
    throw new FieldTypeError(kind.name);
  }
  return kind.bits === 64 && kind.safe !== true ? BigInt(value) : Number(value);
}

/** 64-bit fields take a string of digits too. */
function readDigits(bytes: Uint8Array): bigint {
  const text = wireText(bytes);
  if (text.length > 40 || !/^\d+$/.test(text)) throw new FieldTypeError('u64');
  return BigInt(text);
}

function readString(wire: WireValue): Uint8Array {
  if (!(wire instanceof Uint8Array)) throw new FieldTypeError('string');
  return wire;
}

function readPods(bytes: Uint8Array, size: number): Uint8Array[] | undefined {
  if (bytes.length % size !== 0) return undefined;
  return Array.from({ length: bytes.length / size }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
}

function readArray(of: Kind, wire: WireValue): unknown[] | undefined {
  if (!Array.isArray(wire)) return undefined;
  if (of.kind === 'object') {
    return wire[0] instanceof Map ? wire.map((item) => readKind(of, item)) : undefined;
  }
  return wire.map((item) => readKind(of, item));
}
