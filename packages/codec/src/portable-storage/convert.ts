import { DecodeError } from '../errors.ts';
import { TYPE_IDS, TYPE_NAMES } from './format.ts';
import type { IntegerKind } from './kinds.ts';

/**
 * monerod's conversions between stored and wanted types when it fills a structure: integers convert to each
 * other when the value fits, and other types do not convert. (Releases before 0.18.5.3 took text of digits for an
 * unsigned 64-bit integer.) Source: contrib/epee/include/storages/portable_storage_val_converters.h.
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

/** Returns the error for a stored type that does not convert to the wanted one. */
export function wrongConversion(from: number | 'array', to: string): DecodeError {
  const name = from === 'array' ? from : TYPE_NAMES[from];
  return new DecodeError(`${name} found where ${to} is expected`);
}

function outOfRange(value: number | bigint): DecodeError {
  return new DecodeError(`${value} does not fit the field`);
}
