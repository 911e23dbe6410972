import {
  type Fields,
  type InputOf,
  type IntegerKind,
  ITEMS_PER_STEP,
  type Kind,
  type Table,
} from '@monero-node/codec/portable-storage';
import { wireText, type WireObject, type WireValue } from './value.ts';

/** A request field holds a value that its type can't take: HTTP 400 or JSON-RPC -32602. */
export class FieldTypeError extends Error {
  readonly code = 'bad-field';

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
  if ((typeof wire !== 'number' && typeof wire !== 'bigint') || wire < kind.min || wire > kind.max)
    throw new FieldTypeError(kind.name);
  return kind.bits === 64 && kind.safe !== true ? BigInt(wire) : Number(wire);
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
  const items = itemsOf(of, wire);
  return items?.map((item) => readKind(of, item));
}

/** A list of objects counts as absent unless its first item is one. */
function itemsOf(of: Kind, wire: WireValue): readonly WireValue[] | undefined {
  if (!Array.isArray(wire) || (of.kind === 'object' && !(wire[0] instanceof Map))) return undefined;
  return wire;
}

/**
 * Converts a request as `readKind` does, in steps, so that the caller can let other work run between the items of long
 * lists. Throws FieldTypeError.
 */
export function* readKindSteps(kind: Kind, wire: WireValue): Generator<undefined, unknown> {
  if (kind.kind === 'array') return yield* readArraySteps(kind.of, wire);
  if (kind.kind !== 'object' || !kind.table.hasLists) return readKind(kind, wire);
  return wire instanceof Map ? yield* readTableSteps(kind.table, wire) : undefined;
}

function* readTableSteps(table: Table, object: WireObject): Generator<undefined, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, { kind, fallback }] of table.sorted) {
    const wire = object.get(name);
    const value = wire === undefined ? undefined : yield* readKindSteps(kind, wire);
    result[name] = value ?? fallback;
  }
  return result;
}

function* readArraySteps(of: Kind, wire: WireValue): Generator<undefined, unknown[] | undefined> {
  const items = itemsOf(of, wire);
  if (items === undefined) return undefined;
  const result: unknown[] = [];
  for (const item of items) {
    result.push(readKind(of, item));
    if (result.length % ITEMS_PER_STEP === 0) yield undefined;
  }
  return result;
}
