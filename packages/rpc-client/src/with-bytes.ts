import { fromHex, toHex } from '@monero-node/codec/bytes';
import {
  DecodeError,
  FieldValueError,
  type Kind,
  type Table,
} from '@monero-node/codec/portable-storage';

/** Fields of requests that are times: Unix seconds, for which a Date can be given. */
const TIMES = ['pool_info_since'] as const;

/** A request whose times may be dates too. */
export type WithDates<Request> = {
  readonly [Name in keyof Request]: Name extends (typeof TIMES)[number]
    ? Request[Name] | Date
    : Request[Name];
};

/** Returns the Unix seconds of a date. Throws FieldValueError for a date that is none, or before 1970. */
function secondsOf(date: Date): bigint {
  const seconds = Math.floor(date.getTime() / 1000);
  if (!(seconds >= 0)) throw new FieldValueError('date from 1970 on', String(date));
  return BigInt(seconds);
}

/**
 * Returns a request in which what stands for bytes is in the form of its field, and dates are Unix seconds: answers have bytes where
 * requests of JSON-RPC have hex, and programs pass on what they got. Everything else is left to the writer.
 *
 * Throws FieldValueError for text that is not hex.
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
    if (member instanceof Date && (TIMES as readonly string[]).includes(name)) {
      return [name, secondsOf(member)];
    }
    return [name, field === undefined ? member : withBytes(field.kind, member)];
  });
  return Object.fromEntries(members);
}
