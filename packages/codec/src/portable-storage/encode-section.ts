import { concatBytes } from '../bytes.ts';
import { ByteSink } from './byte-sink.ts';
import {
  ARRAY_FLAG,
  ELEMENT_BYTES,
  STORAGE_SIGNATURE,
  TYPE_IDS,
  type StorageType,
} from './format.ts';
import { FieldValueError } from './members.ts';
import { putSize, putString } from './put.ts';
import type { StorageItem, StorageSection, StorageValue } from './section.ts';
import { wireName } from './table.ts';

/**
 * Encodes a section as monerod does, byte for byte: entries in byte order of their names, the smallest size
 * form, and arrays without elements left out.
 * Throws RangeError for a value its type cannot hold, or a name that is empty, longer than 254 characters or
 * not Latin-1.
 */
export function encodeStorage(section: StorageSection): Uint8Array {
  const sink = new ByteSink();
  sink.bytes(STORAGE_SIGNATURE);
  putSection(sink, section);
  return concatBytes(...sink.chunks());
}

function putSection(sink: ByteSink, section: StorageSection): void {
  const entries = [...section].filter(([, value]) => !isEmptyArray(value));
  // Latin-1 names compare by UTF-16 unit exactly as their bytes do.
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  putSize(sink, entries.length);
  for (const [name, value] of entries) {
    sink.bytes(wireName(name));
    if (value.type === 'array') {
      sink.u8(TYPE_IDS[value.of] | ARRAY_FLAG);
      putSize(sink, value.items.length);
      for (const item of value.items) putItem(sink, value.of, item);
    } else {
      sink.u8(TYPE_IDS[value.type]);
      putItem(sink, value.type, value.value);
    }
  }
}

function isEmptyArray(value: StorageValue): boolean {
  return value.type === 'array' && value.items.length === 0;
}

function putItem(sink: ByteSink, type: StorageType, item: StorageItem): void {
  switch (type) {
    case 'object':
      if (!(item instanceof Map)) throw new FieldValueError(type, item);
      putSection(sink, item);
      return;
    case 'string':
      if (!(item instanceof Uint8Array)) throw new FieldValueError(type, item);
      putString(sink, item);
      return;
    case 'bool':
      if (typeof item !== 'boolean') throw new FieldValueError(type, item);
      sink.u8(item ? 1 : 0);
      return;
    case 'double':
      if (typeof item !== 'number') throw new FieldValueError(type, item);
      sink.double(item);
      return;
    default:
      putInteger(sink, type, item);
  }
}

/** 64-bit integers are bigints, all others numbers. */
function putInteger(sink: ByteSink, type: StorageType, item: StorageItem): void {
  const size = ELEMENT_BYTES[TYPE_IDS[type]] as number;
  const isRightType = size === 8 ? typeof item === 'bigint' : Number.isInteger(item);
  if (!isRightType) throw new FieldValueError(type, item);
  const value = BigInt(item as bigint | number);
  const fits = type.startsWith('u')
    ? BigInt.asUintN(8 * size, value) === value
    : BigInt.asIntN(8 * size, value) === value;
  if (!fits) throw new FieldValueError(type, value);
  sink.littleEndian(value, size);
}
