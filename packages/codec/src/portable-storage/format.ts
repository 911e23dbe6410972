/**
 * Portable storage: the binary key-value format of Levin bodies and `.bin` RPC bodies.
 *
 * A document is a 9-byte signature and one section. A section is a count of entries; an entry is a name (one
 * byte of length, then the characters), a type byte and a value.
 * Source: contrib/epee/include/storages/portable_storage_base.h and portable_storage_to_bin.h.
 */

/** The first bytes of every document: two signatures and format version 1. */
export const STORAGE_SIGNATURE: Uint8Array = Uint8Array.of(1, 0x11, 1, 1, 1, 1, 2, 1, 1);

/** Types of a value or of the elements of an array. */
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

/** Type bytes on the wire. */
export const TYPE_IDS = {
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
} as const satisfies Record<StorageType, number>;

/** Type ids of the integers that fields can have. */
export const INTEGER_TYPES = {
  i64: TYPE_IDS.int64,
  i8: TYPE_IDS.int8,
  u64: TYPE_IDS.uint64,
  u32: TYPE_IDS.uint32,
  u16: TYPE_IDS.uint16,
  u8: TYPE_IDS.uint8,
} as const;

/** The name of each type id; undefined where no type has that id. */
export const TYPE_NAMES: readonly (StorageType | undefined)[] = (() => {
  const names: (StorageType | undefined)[] = [undefined];
  for (const [name, id] of Object.entries(TYPE_IDS)) names[id] = name as StorageType;
  return names;
})();

/** Returns whether a type id is one of the eight integer types. */
export function isIntegerType(type: number): boolean {
  return type >= TYPE_IDS.int64 && type <= TYPE_IDS.uint8;
}

/** Added to a type byte to make that of an array. */
export const ARRAY_FLAG = 0x80;

/** A type byte that is followed by the real one, which must be that of an array. */
export const MARKED_ARRAY = 13;

/** Fewest bytes of one array element, by type id; for types of fixed size the exact number. */
export const ELEMENT_BYTES: readonly number[] = [0, 8, 4, 2, 1, 8, 4, 2, 1, 8, 2, 1, 1];

/** Longest name a writer may use; readers take 255. */
export const MAX_NAME_LENGTH = 254;

/**
 * Bounds on one document. All are counted over the whole document.
 *
 * `objects`: nested sections, array elements included, the root not. `fields`: entries. `strings`: string
 * values, array elements included, names not. `items`: numbers and packed values built for lists, and booleans of
 * arrays, known or not.
 */
export interface StorageLimits {
  readonly objects: number;
  readonly fields: number;
  readonly strings: number;
  readonly items?: number;
}

/**
 * Limits of every Levin body. monerod has the first three; `items` bounds the memory of unpacked lists. It is as many
 * ids as monerod lets into its longest list, the four megabytes of a request for pool transactions.
 * Source: contrib/epee/include/storages/levin_abstract_invoke2.h.
 */
export const LEVIN_STORAGE_LIMITS: StorageLimits = {
  objects: 8192,
  fields: 16_384,
  strings: 16_384,
  items: 1 << 17,
};

/**
 * monerod bounds nesting by counting its own nested reader calls and refuses a document that reaches 100.
 * To accept exactly the same documents, this reader counts the same calls: {@link CALLS} holds, for each element,
 * the number of calls between the call that reads its section (or array) and the call that reads the element.
 * Source: RECURSION_LIMITATION in contrib/epee/include/storages/portable_storage_from_bin.h.
 */
export const MAX_CALL_DEPTH = 100;
export const CALLS = {
  rootSection: 1,
  inSection: { count: 4, bool: 5, string: 8, object: 3, array: 2, markedArray: 3 },
  inArray: { count: 5, number: 4, bool: 5, string: 7, object: 3 },
} as const;
