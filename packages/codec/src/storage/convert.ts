import { DecodeError } from '../errors.ts';
import type { StorageItem, StorageType } from './types.ts';

/**
 * monerod's conversions between stored and wanted types when it fills a structure: integers convert among
 * each other when the value fits, text of digits (or an ISO 8601 time in UTC) becomes an unsigned 64-bit
 * integer, and nothing else converts. Source: portable_storage_val_converters.h.
 */

const INTEGER_TYPES: ReadonlySet<StorageType> = new Set([
  'int64',
  'int32',
  'int16',
  'int8',
  'uint64',
  'uint32',
  'uint16',
  'uint8',
]);

/** An item as a number of a type whose range is `min` … `max`, both safe integers. @throws DecodeError */
export function convertToNumber(
  type: StorageType,
  item: StorageItem,
  min: number,
  max: number,
): number {
  if (!INTEGER_TYPES.has(type)) throw wrongConversion(type, 'integer');
  if ((item as bigint | number) < min || (item as bigint | number) > max) throw outOfRange(item);
  return Number(item);
}

/** An item as a bigint of a 64-bit type whose range is `min` … `max`. @throws DecodeError */
export function convertToBigInt(
  type: StorageType,
  item: StorageItem,
  min: bigint,
  max: bigint,
): bigint {
  if (!INTEGER_TYPES.has(type)) throw wrongConversion(type, 'integer');
  if ((item as bigint | number) < min || (item as bigint | number) > max) throw outOfRange(item);
  return BigInt(item as bigint | number);
}

/** An item as an unsigned 64-bit integer; the one target that text converts to. @throws DecodeError */
export function convertToUint64(type: StorageType, item: StorageItem): bigint {
  if (type === 'string') return textToUint64(item as Uint8Array);
  return convertToBigInt(type, item, 0n, MAX_U64);
}

/** An item as the same type. @throws DecodeError unless `type` is `wanted`. */
export function convertToSame(
  type: StorageType,
  item: StorageItem,
  wanted: StorageType,
): StorageItem {
  if (type !== wanted) throw wrongConversion(type, wanted);
  return item;
}

const MAX_U64 = 2n ** 64n - 1n;
const ISO_TIME = /^(\d{4})-([01]\d)-([0-3]\d)T([0-2]\d):([0-5]\d):([0-5]\d)Z$/;

function textToUint64(bytes: Uint8Array): bigint {
  // 20 digits suffice; more can only be leading zeros, and a bound keeps the conversion cheap.
  if (bytes.length > 64) throw wrongConversion('string', 'uint64');
  const text = String.fromCharCode(...bytes);
  if (/^\d+$/.test(text)) {
    const value = BigInt(text);
    if (value > MAX_U64) throw outOfRange(value);
    return value;
  }
  const parts = ISO_TIME.exec(text)?.slice(1).map(Number);
  if (parts === undefined) throw wrongConversion('string', 'uint64');
  return isoTimeToSeconds(parts as [number, number, number, number, number, number]);
}

/** Seconds since 1970 (UTC). A field out of range gives 0: the reference then leaves the target unset. */
function isoTimeToSeconds(parts: [number, number, number, number, number, number]): bigint {
  const [year, month, day, hour, minute, second] = parts;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23) return 0n;
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return seconds < 0 ? 0n : BigInt(seconds);
}

function wrongConversion(from: string, to: string): DecodeError {
  return new DecodeError(`${from} found where ${to} is expected`);
}

function outOfRange(value: StorageItem): DecodeError {
  return new DecodeError(`${String(value)} does not fit the field`);
}
