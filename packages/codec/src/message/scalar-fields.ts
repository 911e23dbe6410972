import { bytesEqual } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import {
  convertToBigInt,
  convertToNumber,
  convertToSame,
  convertToUint64,
} from '../storage/convert.ts';
import type { StorageValue } from '../storage/types.ts';
import { makeField, scalarOf, type Field, type FieldOptions } from './field.ts';

/** Fields that hold one number, boolean or string. */

type SmallUnsigned = 'uint8' | 'uint16' | 'uint32';

function unsigned(
  type: SmallUnsigned,
  bits: number,
  options?: FieldOptions<number>,
): Field<number> {
  return makeField<number>(
    {
      kind: type,
      zero: () => 0,
      decode(value) {
        const { type: from, item } = scalarOf(value);
        return convertToNumber(from, item, 0, 2 ** bits - 1);
      },
      encode: (value) => ({ type, value }),
    },
    options,
  );
}

/** An unsigned 8-bit integer. */
export function u8(options?: FieldOptions<number>): Field<number> {
  return unsigned('uint8', 8, options);
}

/** An unsigned 16-bit integer. */
export function u16(options?: FieldOptions<number>): Field<number> {
  return unsigned('uint16', 16, options);
}

/** An unsigned 32-bit integer. */
export function u32(options?: FieldOptions<number>): Field<number> {
  return unsigned('uint32', 32, options);
}

/** An unsigned 64-bit integer. */
export function u64(options?: FieldOptions<bigint>): Field<bigint> {
  return makeField<bigint>(
    {
      kind: 'uint64',
      zero: () => 0n,
      decode(value) {
        const { type, item } = scalarOf(value);
        return convertToUint64(type, item);
      },
      encode: (value) => ({ type: 'uint64', value }),
    },
    options,
  );
}

/** An unsigned 64-bit integer as a number. A value beyond 2^53 - 1 fails the message. */
export function num64(options?: FieldOptions<number>): Field<number> {
  return makeField<number>(
    {
      kind: 'uint64',
      zero: () => 0,
      decode(value) {
        const { type, item } = scalarOf(value);
        return safeNumber(convertToUint64(type, item));
      },
      encode: (value) => ({ type: 'uint64', value: BigInt(value) }),
    },
    options,
  );
}

/** A signed 64-bit integer. */
export function i64(options?: FieldOptions<bigint>): Field<bigint> {
  return makeField<bigint>(
    {
      kind: 'int64',
      zero: () => 0n,
      decode(value) {
        const { type, item } = scalarOf(value);
        return convertToBigInt(type, item, -(2n ** 63n), 2n ** 63n - 1n);
      },
      encode: (value) => ({ type: 'int64', value }),
    },
    options,
  );
}

/** A double; integers do not convert to it. */
export function double(options?: FieldOptions<number>): Field<number> {
  return makeField<number>(
    {
      kind: 'double',
      zero: () => 0,
      decode(value) {
        const { type, item } = scalarOf(value);
        return convertToSame(type, item, 'double') as number;
      },
      encode: (value) => ({ type: 'double', value }),
    },
    options,
  );
}

export function bool(options?: FieldOptions<boolean>): Field<boolean> {
  return makeField<boolean>(
    {
      kind: 'bool',
      zero: () => false,
      decode(value) {
        const { type, item } = scalarOf(value);
        return convertToSame(type, item, 'bool') as boolean;
      },
      encode: (value) => ({ type: 'bool', value }),
    },
    options,
  );
}

/** UTF-8 text. Bytes that are no UTF-8 become replacement characters: use `blob` to keep them. */
export function string(options?: FieldOptions<string>): Field<string> {
  return makeField<string>(
    {
      kind: 'string',
      zero: () => '',
      decode: (value) => decodeUtf8(stringBytes(value)),
      encode: (value) => ({ type: 'string', value: new TextEncoder().encode(value) }),
    },
    options,
  );
}

/** Bytes of any length in a string. */
export function blob(options?: FieldOptions<Uint8Array>): Field<Uint8Array> {
  return makeField<Uint8Array>(
    {
      kind: 'blob',
      zero: () => new Uint8Array(0),
      decode: stringBytes,
      encode: (value) => ({ type: 'string', value }),
      equal: bytesEqual,
    },
    options,
  );
}

/** A structure of exactly `size` bytes in a string, such as a hash. A string of another length counts as absent. */
export function pod(size: number, options?: FieldOptions<Uint8Array>): Field<Uint8Array> {
  return makeField<Uint8Array>(
    {
      kind: `pod${size}`,
      zero: () => new Uint8Array(size),
      decode(value) {
        const bytes = stringBytes(value);
        return bytes.length === size ? bytes : undefined;
      },
      encode(value) {
        if (value.length !== size) throw new RangeError(`${size} bytes expected`);
        return { type: 'string', value };
      },
      equal: bytesEqual,
    },
    options,
  );
}

/** The bytes of a string entry. @throws DecodeError for any other type. */
export function stringBytes(value: StorageValue): Uint8Array {
  const { type, item } = scalarOf(value);
  return convertToSame(type, item, 'string') as Uint8Array;
}

/** @throws DecodeError beyond 2^53 - 1. */
export function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new DecodeError(`${value} is not a safe integer`);
  return Number(value);
}

/** Text of UTF-8 bytes; what is no UTF-8 becomes replacement characters, and nothing is dropped. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
