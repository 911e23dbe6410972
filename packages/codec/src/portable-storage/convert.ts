import { DecodeError } from '../errors.ts';
import { TYPE_IDS, TYPE_NAMES } from './format.ts';
import type { IntegerKind } from './kinds.ts';

/**
 * monerod's conversions between stored and wanted types when it fills a structure: integers convert to each
 * other when the value fits, text of digits (or an ISO 8601 time in UTC) becomes an unsigned 64-bit integer,
 * and other types do not convert. Source: contrib/epee/include/storages/portable_storage_val_converters.h.
 */

/** Returns whether a type id is one of the eight integer types. */
export function isIntegerType(type: number): boolean {
  return type >= TYPE_IDS.int64 && type <= TYPE_IDS.uint8;
}

/**
 * Converts a stored integer: to a bigint for 64-bit kinds that are not `safe`, else to a number.
 * Throws DecodeError when the value does not fit the kind or, for a `safe` kind, exceeds 2^53 - 1.
 */
export function convertInteger(kind: IntegerKind, value: number | bigint): number | bigint {
  if (value < kind.min || value > kind.max) throw outOfRange(value);
  if (kind.bits < 64) return Number(value);
  if (kind.safe !== true) return BigInt(value);
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new DecodeError(`${value} is not a safe integer`);
  return number;
}

const MAX_U64 = 2n ** 64n - 1n;
const ISO_TIME = /^(\d{4})-([01]\d)-([0-3]\d)T([0-2]\d):([0-5]\d):([0-5]\d)Z$/;

/** Converts text to an unsigned 64-bit integer. Throws DecodeError for any other text. */
export function textToUint64(bytes: Uint8Array): bigint {
  // 20 digits suffice; more can only be leading zeros, and a bound keeps the conversion cheap.
  if (bytes.length > 64) throw wrongConversion(TYPE_IDS.string, 'uint64');
  const text = String.fromCharCode(...bytes);
  if (/^\d+$/.test(text)) {
    const value = BigInt(text);
    if (value > MAX_U64) throw outOfRange(value);
    return value;
  }
  const parts = ISO_TIME.exec(text)?.slice(1).map(Number);
  if (parts === undefined) throw wrongConversion(TYPE_IDS.string, 'uint64');
  return isoTimeToSeconds(parts as [number, number, number, number, number, number]);
}

/** Seconds since 1970 (UTC); 0 for a field out of range, where monerod leaves the target unset. */
function isoTimeToSeconds(parts: [number, number, number, number, number, number]): bigint {
  const [year, month, day, hour, minute, second] = parts;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23) return 0n;
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return seconds < 0 ? 0n : BigInt(seconds);
}

/** Returns the error for a stored type that does not convert to the wanted one. */
export function wrongConversion(from: number | 'array', to: string): DecodeError {
  const name = from === 'array' ? from : TYPE_NAMES[from];
  return new DecodeError(`${name} found where ${to} is expected`);
}

function outOfRange(value: number | bigint): DecodeError {
  return new DecodeError(`${value} does not fit the field`);
}
