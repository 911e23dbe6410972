import { fromHex, toHex } from '@monero-node/codec/bytes';
import {
  DecodeError,
  FieldValueError,
  type Kind,
  type Table,
} from '@monero-node/codec/portable-storage';

/**
 * Returns a request in which what stands for bytes is in the form of its field: answers have bytes where requests of JSON-RPC have
 * hex, and programs pass on what they got. Everything else is left to the writer. Throws FieldValueError for text that is not hex.
 */
export function withBytes(kind: Kind, value: unknown): unknown {
  switch (kind.kind) {
    case 'text':
      return kind.isHex === true && value instanceof Uint8Array ? toHex(value) : value;
    case 'hex':
      return bytesOf(value, kind.size);
    case 'pods':
      return eachOf(value, (item) => bytesOf(item, kind.size));
    case 'array':
      return eachOf(value, (item) => withBytes(kind.of, item));
    case 'object':
      return objectWithBytes(kind.table, value);
    default:
      return value;
  }
}

function eachOf(value: unknown, convert: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(convert) : value;
}

function bytesOf(value: unknown, size: number | undefined): unknown {
  if (typeof value !== 'string') return value;
  try {
    return fromHex(value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new FieldValueError(`hex of ${size === undefined ? '' : `${size} `}bytes`, value);
  }
}

function objectWithBytes({ fields }: Table, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field === undefined ? member : withBytes(field.kind, member)];
  });
  return Object.fromEntries(members);
}
