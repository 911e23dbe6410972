import { fromHex } from '@monero-node/codec/bytes';
import { decodeMessage, type Kind, type Table } from '@monero-node/codec/portable-storage';
import {
  FieldTypeError,
  readKind,
  wireText,
  type WireObject,
  type WireValue,
} from '@monero-node/rpc-schema';

/** Far above what any honest answer holds; the size of an answer is bounded before. */
const ANSWER_LIMITS = { objects: 1 << 22, fields: 1 << 24, strings: 1 << 22 };

/** Reads a portable storage answer, which must be an object. Throws DecodeError for bytes that do not fit. */
export function readBinaryAnswer(kind: Kind, bytes: Uint8Array): unknown {
  if (kind.kind !== 'object') throw new TypeError('only objects have a binary form');
  return decodeMessage(kind.table, bytes, ANSWER_LIMITS);
}

/**
 * Reads an answer. Fields that are absent, or hold nothing, get their default, and unknown ones are ignored: servers
 * of other versions send more or less. Throws FieldTypeError for what does not fit, DecodeError for malformed hex.
 */
export function readAnswer(kind: Kind, wire: WireValue): unknown {
  switch (kind.kind) {
    case 'object':
      if (!(wire instanceof Map)) throw new FieldTypeError('object');
      return readObject(kind.table, wire);
    case 'array':
      if (!Array.isArray(wire)) throw new FieldTypeError('array');
      return wire.map((item) => readAnswer(kind.of, item));
    case 'hex':
      return readHex(wire);
    case 'choice':
      return readChoice(kind.of, wire);
    default:
      return readKind(kind, wire);
  }
}

function readObject(table: Table, object: WireObject): Record<string, unknown> {
  const entries = table.sorted.map(([name, field]) => {
    const wire = object.get(name);
    const value = wire === undefined ? undefined : readAnswer(field.kind, wire);
    return [name, value ?? defaultOf(field)] as const;
  });
  return Object.fromEntries(entries);
}

/** An object that is absent is one of defaults. */
function defaultOf(field: Table['sorted'][number][1]): unknown {
  return field.kind.kind === 'object' && field.presence === 'always'
    ? readObject(field.kind.table, new Map())
    : field.fallback;
}

function readHex(wire: WireValue): Uint8Array {
  if (!(wire instanceof Uint8Array)) throw new FieldTypeError('hex');
  return fromHex(wireText(wire));
}

/** The first that fits. */
function readChoice(of: readonly Kind[], wire: WireValue): unknown {
  for (const kind of of) {
    try {
      return readAnswer(kind, wire);
    } catch (error) {
      if (!(error instanceof FieldTypeError)) throw error;
    }
  }
  throw new FieldTypeError('choice');
}
