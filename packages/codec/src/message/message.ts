import { decodeStorage } from '../storage/decode.ts';
import { encodeStorage } from '../storage/encode.ts';
import type { StorageLimits, StorageSection } from '../storage/types.ts';
import type { Field } from './field.ts';

/** Converts between a typed object and a section. Made by `defineMessage`, or by hand for odd shapes. */
export interface MessageSchema<T> {
  /** The object a section holds; entries it does not know are ignored. @throws DecodeError */
  fromSection(section: StorageSection): T;
  /** @throws RangeError for a value its field cannot hold. */
  toSection(value: T): StorageSection;
  /** The fields by property, where the schema came from `defineMessage`. */
  readonly fields?: { readonly [K in keyof T]: Field<T[K]> };
}

/** The object type of a schema. */
export type MessageOf<S> = S extends MessageSchema<infer T> ? T : never;

/**
 * A schema from one table of fields, used in both directions:
 *
 *     const PING_RESPONSE = defineMessage({ status: field.string(), peer_id: field.u64() });
 *     type PingResponse = MessageOf<typeof PING_RESPONSE>;
 */
export function defineMessage<T extends object>(fields: {
  readonly [K in keyof T]: Field<T[K]>;
}): MessageSchema<T> {
  const entries = Object.entries(fields) as [keyof T & string, Field<T[keyof T & string]>][];
  const table = entries.map(([key, fieldOfKey]) => ({
    key,
    name: fieldOfKey.name ?? key,
    field: fieldOfKey,
  }));
  return {
    fields,
    fromSection(section) {
      const message: Partial<T> = {};
      for (const { key, name, field } of table) message[key] = field.read(section.get(name));
      return message as T;
    },
    toSection(value) {
      const section: StorageSection = new Map();
      for (const { key, name, field } of table) {
        const stored = field.write(value[key]);
        if (stored !== undefined) section.set(name, stored);
      }
      return section;
    },
  };
}

/** The bytes of a message. @throws RangeError for a value its field cannot hold. */
export function encodeMessage<T>(schema: MessageSchema<T>, value: T): Uint8Array {
  return encodeStorage(schema.toSection(value));
}

/**
 * Reads a message as monerod fills its structures: unknown entries are ignored, absent ones get their
 * default, integers convert when they fit, blobs of a wrong size and arrays of a wrong kind count as absent,
 * and any other mismatch fails the whole message.
 * @throws DecodeError
 */
export function decodeMessage<T>(
  schema: MessageSchema<T>,
  bytes: Uint8Array,
  limits?: Partial<StorageLimits>,
): T {
  return schema.fromSection(decodeStorage(bytes, limits));
}

/** Same as the schema's own method, for symmetry with {@link encodeMessage}. */
export function messageToSection<T>(schema: MessageSchema<T>, value: T): StorageSection {
  return schema.toSection(value);
}

/** Same as the schema's own method, for symmetry with {@link decodeMessage}. @throws DecodeError */
export function sectionToMessage<T>(schema: MessageSchema<T>, section: StorageSection): T {
  return schema.fromSection(section);
}
