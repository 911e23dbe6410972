import { fromHex } from '@monero-node/codec';
import {
  FieldTypeError,
  readKind,
  wireText,
  type Kind,
  type Table,
  type WireObject,
  type WireValue,
} from '@monero-node/rpc-schema';

/** How an answer is written: bytes are hex text in JSON. */
export type Format = 'json' | 'binary';

/**
 * Reads an answer. Fields that are absent, or hold nothing, get their default, and unknown ones are ignored: servers of other
 * versions send more or less. Throws FieldTypeError for what does not fit, DecodeError for hex that is none.
 */
export function readAnswer(kind: Kind, wire: WireValue, format: Format): unknown {
  switch (kind.kind) {
    case 'object':
      if (!(wire instanceof Map)) throw new FieldTypeError('object');
      return readObject(kind.table, wire, format);
    case 'array':
      if (!Array.isArray(wire)) throw new FieldTypeError('array');
      return wire.map((item) => readAnswer(kind.of, item, format));
    case 'hex':
      return format === 'json' ? readHex(wire) : readKind(kind, wire);
    case 'choice':
      return readChoice(kind.of, wire, format);
    default:
      return readKind(kind, wire);
  }
}

function readObject(table: Table, object: WireObject, format: Format): Record<string, unknown> {
  const entries = table.sorted.map(([name, field]) => {
    const wire = object.get(name);
    const value = wire === undefined ? undefined : readAnswer(field.kind, wire, format);
    return [name, value ?? defaultOf(field, format)] as const;
  });
  return Object.fromEntries(entries);
}

/** An object that is absent is one of defaults. */
function defaultOf(field: Table['sorted'][number][1], format: Format): unknown {
  return field.kind.kind === 'object' && field.presence === 'always'
    ? readObject(field.kind.table, new Map(), format)
    : field.fallback;
}

function readHex(wire: WireValue): Uint8Array {
  if (!(wire instanceof Uint8Array)) throw new FieldTypeError('hex');
  return fromHex(wireText(wire));
}

/** The first that fits. */
function readChoice(of: readonly Kind[], wire: WireValue, format: Format): unknown {
  for (const kind of of) {
    try {
      return readAnswer(kind, wire, format);
    } catch (error) {
      if (!(error instanceof FieldTypeError)) throw error;
    }
  }
  throw new FieldTypeError('choice');
}
