/**
 * Portable storage: the binary key-value format of Levin bodies and `.bin` RPC bodies.
 * Source: contrib/epee/include/storages/portable_storage*.h.
 */

/** Types a value or an array element can have. */
export type StorageType =
  | 'int64'
  | 'int32'
  | 'int16'
  | 'int8'
  | 'uint64'
  | 'uint32'
  | 'uint16'
  | 'uint8'
  | 'double'
  | 'string'
  | 'bool'
  | 'object';

/** Elements of an array: all of the JavaScript type that goes with its `of`. */
export type StorageItem = bigint | number | boolean | Uint8Array | StorageSection;

/** One entry's value. 64-bit integers are bigints; strings are bytes, as nothing says they are text. */
export type StorageValue =
  | { type: 'int64' | 'uint64'; value: bigint }
  | { type: 'int32' | 'int16' | 'int8' | 'uint32' | 'uint16' | 'uint8' | 'double'; value: number }
  | { type: 'string'; value: Uint8Array }
  | { type: 'bool'; value: boolean }
  | { type: 'object'; value: StorageSection }
  | { type: 'array'; of: StorageType; items: StorageItem[] };

/** Entries by name. A name holds one character for each byte (Latin-1), 1 … 255 of them. */
export type StorageSection = Map<string, StorageValue>;

/**
 * Bounds on one document: objects (array elements included, the root not), entries over all sections, and
 * strings (array elements included, names not).
 */
export interface StorageLimits {
  objects: number;
  fields: number;
  strings: number;
}

/** Limits monerod sets on every Levin body. Source: levin_abstract_invoke2.h. */
export const LEVIN_STORAGE_LIMITS: StorageLimits = { objects: 8192, fields: 16384, strings: 16384 };

/** Limits monerod sets on HTTP answers it reads. Source: http_abstract_invoke.h. */
export const HTTP_STORAGE_LIMITS: StorageLimits = {
  objects: 196608,
  fields: 196608,
  strings: 196608,
};

/** What each document starts with: two signatures and format version 1. */
export const STORAGE_SIGNATURE: Uint8Array = Uint8Array.of(1, 0x11, 1, 1, 1, 1, 2, 1, 1);

/** Wire number of each type. */
export const STORAGE_TYPE_IDS: Record<StorageType, number> = {
  int64: 1,
  int32: 2,
  int16: 3,
  int8: 4,
  uint64: 5,
  uint32: 6,
  uint16: 7,
  uint8: 8,
  double: 9,
  string: 10,
  bool: 11,
  object: 12,
};

/** Type number of an array entry that is followed by its real type byte. */
export const STORAGE_TYPE_ARRAY = 13;

/** Added to an element's type number to make that of an array. */
export const STORAGE_ARRAY_FLAG = 0x80;
