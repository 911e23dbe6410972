import { convertToNumber, convertToSame, convertToUint64 } from '../storage/convert.ts';
import type { StorageItem, StorageSection, StorageType, StorageValue } from '../storage/types.ts';
import { makeField, type Field, type FieldOptions } from './field.ts';
import type { MessageSchema } from './message.ts';
import { decodeUtf8, safeNumber, stringBytes } from './scalar-fields.ts';

/** Fields that hold objects and lists. Empty lists are not stored at all. */

/** A list of structures of `size` bytes each in one string. A string that cannot be divided counts as absent. */
export function pods(size: number, options?: FieldOptions<Uint8Array[]>): Field<Uint8Array[]> {
  return makeField<Uint8Array[]>(
    {
      kind: `pod${size}-list`,
      zero: () => [],
      decode(value) {
        const bytes = stringBytes(value);
        if (bytes.length % size !== 0) return undefined;
        const items: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += size) items.push(bytes.subarray(at, at + size));
        return items;
      },
      encode(items) {
        if (items.some((item) => item.length !== size))
          throw new RangeError(`${size} bytes expected`);
        if (items.length === 0) return undefined;
        // Not spread into arguments: lists can be longer than a call may have of them.
        const value = new Uint8Array(items.length * size);
        for (const [i, item] of items.entries()) value.set(item, i * size);
        return { type: 'string', value };
      },
    },
    options,
  );
}

/** A list of little-endian unsigned 64-bit integers in one string. */
export function u64Blob(options?: FieldOptions<bigint[]>): Field<bigint[]> {
  return makeField<bigint[]>(
    {
      kind: 'uint64-blob',
      zero: () => [],
      decode(value) {
        const bytes = stringBytes(value);
        if (bytes.length % 8 !== 0) return undefined;
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        return Array.from({ length: bytes.length / 8 }, (_, i) => view.getBigUint64(8 * i, true));
      },
      encode(items) {
        if (items.length === 0) return undefined;
        const bytes = new Uint8Array(8 * items.length);
        const view = new DataView(bytes.buffer);
        items.forEach((item, i) => {
          if (item < 0n || item >= 2n ** 64n) throw new RangeError('not an unsigned 64-bit value');
          view.setBigUint64(8 * i, item, true);
        });
        return { type: 'string', value: bytes };
      },
    },
    options,
  );
}

/** A nested message. An entry that is no object counts as absent, and gives a message of defaults. */
export function object<T>(schema: MessageSchema<T>, options?: FieldOptions<T>): Field<T> {
  return makeField<T>(
    {
      kind: 'object',
      zero: () => schema.fromSection(new Map()),
      decode: (value) => (value.type === 'object' ? schema.fromSection(value.value) : undefined),
      encode: (value) => ({ type: 'object', value: schema.toSection(value) }),
    },
    options,
  );
}

/** An array of nested messages. An entry that is no array of objects counts as absent. */
export function objects<T>(schema: MessageSchema<T>, options?: FieldOptions<T[]>): Field<T[]> {
  return makeField<T[]>(
    {
      kind: 'object-array',
      zero: () => [],
      decode(value) {
        if (value.type !== 'array' || value.of !== 'object') return undefined;
        return value.items.map((item) => schema.fromSection(item as StorageSection));
      },
      encode(items) {
        return { type: 'array', of: 'object', items: items.map((item) => schema.toSection(item)) };
      },
    },
    options,
  );
}

/** An array whose elements convert one by one; an entry that is no array counts as absent. */
function array<T>(
  kind: string,
  of: StorageType,
  decodeItem: (type: StorageType, item: StorageItem) => T,
  encodeItem: (item: T) => StorageItem,
  options?: FieldOptions<T[]>,
): Field<T[]> {
  return makeField<T[]>(
    {
      kind,
      zero: () => [],
      decode(value) {
        if (value.type !== 'array') return undefined;
        return value.items.map((item) => decodeItem(value.of, item));
      },
      encode: (items) => ({ type: 'array', of, items: items.map(encodeItem) }),
    },
    options,
  );
}

/** An array of strings, as bytes. */
export function blobs(options?: FieldOptions<Uint8Array[]>): Field<Uint8Array[]> {
  const decode = (type: StorageType, item: StorageItem) =>
    convertToSame(type, item, 'string') as Uint8Array;
  return array('blob-array', 'string', decode, (item) => item, options);
}

/** An array of UTF-8 strings. */
export function strings(options?: FieldOptions<string[]>): Field<string[]> {
  const encoder = new TextEncoder();
  const decode = (type: StorageType, item: StorageItem) =>
    decodeUtf8(convertToSame(type, item, 'string') as Uint8Array);
  return array('string-array', 'string', decode, (item) => encoder.encode(item), options);
}

/** An array of unsigned 64-bit integers. */
export function u64s(options?: FieldOptions<bigint[]>): Field<bigint[]> {
  return array('uint64-array', 'uint64', convertToUint64, (item) => item, options);
}

/** An array of unsigned 64-bit integers as numbers. A value beyond 2^53 - 1 fails the message. */
export function numbers64(options?: FieldOptions<number[]>): Field<number[]> {
  const decode = (type: StorageType, item: StorageItem) => safeNumber(convertToUint64(type, item));
  return array('uint64-array', 'uint64', decode, (item) => BigInt(item), options);
}

/** An array of unsigned 32-bit integers. */
export function u32s(options?: FieldOptions<number[]>): Field<number[]> {
  const decode = (type: StorageType, item: StorageItem) =>
    convertToNumber(type, item, 0, 2 ** 32 - 1);
  return array('uint32-array', 'uint32', decode, (item) => item, options);
}

/** An array of unsigned 8-bit integers. */
export function u8s(options?: FieldOptions<number[]>): Field<number[]> {
  const decode = (type: StorageType, item: StorageItem) => convertToNumber(type, item, 0, 255);
  return array('uint8-array', 'uint8', decode, (item) => item, options);
}

/** The entry itself, for messages whose shape depends on another field; undefined when absent. */
export function raw(options?: { name?: string }): Field<StorageValue | undefined> {
  return {
    kind: 'raw',
    name: options?.name,
    optional: true,
    read: (value) => value,
    write: (value) => value,
  };
}
