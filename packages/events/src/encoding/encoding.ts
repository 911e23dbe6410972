import { DecodeError } from '@monero-node/codec';
import { decodeMessage, encodeMessage, type Table } from '@monero-node/codec/portable-storage';
import { MESSAGE_VERSION } from '../messages/chain-message.ts';
import { isMessageType, MESSAGE_TABLES, type EventMessage } from '../messages/tables.ts';
import { tableFromJson, tableToJson } from './json.ts';

/** How messages are written; the header `Monero-Encoding` says which. */
export type Encoding = 'json' | 'portable-storage';

export const ENCODINGS: readonly Encoding[] = ['json', 'portable-storage'];

/** Returns whether a text names an encoding. */
export function isEncoding(text: string): text is Encoding {
  return (ENCODINGS as readonly string[]).includes(text);
}

/** Returns the bytes of an object of a table. */
function encodeObject(table: Table, value: object, encoding: Encoding): Uint8Array {
  return encoding === 'json'
    ? new TextEncoder().encode(tableToJson(table, value))
    : encodeMessage(table, value as never);
}

/** Reads an object of a table. Throws DecodeError. */
function decodeObject(table: Table, bytes: Uint8Array, encoding: Encoding): object {
  return encoding === 'json'
    ? tableFromJson(table, new TextDecoder().decode(bytes))
    : decodeMessage(table, bytes);
}

/** Returns the bytes of a message. */
export function encodeEvent(message: EventMessage, encoding: Encoding): Uint8Array {
  return encodeObject(MESSAGE_TABLES[message.type], message, encoding);
}

/**
 * Reads a message. Throws DecodeError for malformed bytes, for another version, and for another type than expected.
 *
 * @param type from the header `Monero-Type`
 */
export function decodeEvent(bytes: Uint8Array, type: string, encoding: Encoding): EventMessage {
  if (!isMessageType(type)) throw new DecodeError('message of an unknown type');
  const message = decodeObject(MESSAGE_TABLES[type], bytes, encoding) as EventMessage;
  if (message.version !== MESSAGE_VERSION) {
    throw new DecodeError(`message of version ${String(message.version)}`);
  }
  if (message.type !== type) throw new DecodeError(`message of type ${message.type}`);
  return message;
}
