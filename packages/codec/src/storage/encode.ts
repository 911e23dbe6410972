import { ByteWriter } from '../byte-writer.ts';
import {
  STORAGE_ARRAY_FLAG,
  STORAGE_SIGNATURE,
  STORAGE_TYPE_IDS,
  type StorageItem,
  type StorageSection,
  type StorageType,
  type StorageValue,
} from './types.ts';

/** monerod's writer refuses longer names although its reader takes 255. */
const MAX_NAME_LENGTH = 254;

/**
 * Encodes a section as monerod does, byte for byte: entries in byte order of their names, the smallest size
 * form, and arrays without elements left out.
 * @throws RangeError for a value its type cannot hold, or a name that is empty, too long or not Latin-1.
 */
export function encodeStorage(section: StorageSection): Uint8Array {
  const writer = new ByteWriter(1024).bytes(STORAGE_SIGNATURE);
  writeSection(writer, section);
  return writer.toBytes();
}

function writeSection(writer: ByteWriter, section: StorageSection): void {
  const entries = [...section].filter(([, value]) => !isEmptyArray(value));
  // Latin-1 names compare by UTF-16 unit exactly as their bytes do.
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  writeSize(writer, entries.length);
  for (const [name, value] of entries) {
    writeName(writer, name);
    if (value.type === 'array') {
      writer.u8(STORAGE_TYPE_IDS[value.of] | STORAGE_ARRAY_FLAG);
      writeSize(writer, value.items.length);
      for (const item of value.items) writeItem(writer, value.of, item);
    } else {
      writer.u8(STORAGE_TYPE_IDS[value.type]);
      writeItem(writer, value.type, value.value);
    }
  }
}

function isEmptyArray(value: StorageValue): boolean {
  return value.type === 'array' && value.items.length === 0;
}

function writeName(writer: ByteWriter, name: string): void {
  if (name.length === 0 || name.length > MAX_NAME_LENGTH) {
    throw new RangeError(`entry name of ${name.length} characters`);
  }
  writer.u8(name.length);
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 0xff) throw new RangeError('entry name is not Latin-1');
    writer.u8(code);
  }
}

/** The smallest of the four forms: 6, 14, 30 or 62 bits of value above two bits that name the form. */
function writeSize(writer: ByteWriter, size: number): void {
  if (size < 2 ** 6) writer.u8(size << 2);
  else if (size < 2 ** 14) writer.u16le((size << 2) | 1);
  else if (size < 2 ** 30) writer.u32le(((size << 2) | 2) >>> 0);
  else writer.u64le((BigInt(size) << 2n) | 3n);
}

function writeItem(writer: ByteWriter, type: StorageType, item: StorageItem): void {
  switch (type) {
    case 'uint64':
      writer.u64le(expectBigInt(item, 0n, 2n ** 64n - 1n));
      return;
    case 'int64':
      writer.i64le(expectBigInt(item, -(2n ** 63n), 2n ** 63n - 1n));
      return;
    case 'uint32':
      writer.u32le(expectInteger(item, 0, 2 ** 32 - 1));
      return;
    case 'int32':
      writer.u32le(expectInteger(item, -(2 ** 31), 2 ** 31 - 1) >>> 0);
      return;
    case 'uint16':
      writer.u16le(expectInteger(item, 0, 2 ** 16 - 1));
      return;
    case 'int16':
      writer.u16le(expectInteger(item, -(2 ** 15), 2 ** 15 - 1));
      return;
    case 'uint8':
      writer.u8(expectInteger(item, 0, 255));
      return;
    case 'int8':
      writer.u8(expectInteger(item, -128, 127));
      return;
    case 'double':
      if (typeof item !== 'number') throw new RangeError('number expected');
      writer.f64le(item);
      return;
    case 'bool':
      if (typeof item !== 'boolean') throw new RangeError('boolean expected');
      writer.u8(item ? 1 : 0);
      return;
    case 'string':
      if (!ArrayBuffer.isView(item)) throw new RangeError('bytes expected');
      writeSize(writer, item.length);
      writer.bytes(item);
      return;
    case 'object':
      if (!(item instanceof Map)) throw new RangeError('section expected');
      writeSection(writer, item);
      return;
  }
}

function expectBigInt(item: StorageItem, min: bigint, max: bigint): bigint {
  if (typeof item !== 'bigint' || item < min || item > max) {
    throw new RangeError(`integer from ${min} to ${max} expected`);
  }
  return item;
}

function expectInteger(item: StorageItem, min: number, max: number): number {
  if (typeof item !== 'number' || !Number.isInteger(item) || item < min || item > max) {
    throw new RangeError(`integer from ${min} to ${max} expected`);
  }
  return item;
}
