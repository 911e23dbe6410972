import type { StorageType } from './format.ts';

/** Elements of an array: all of the JavaScript type that goes with its `of`. */
export type StorageItem = bigint | number | boolean | Uint8Array | StorageSection;

/** One entry's value. 64-bit integers are bigints; strings are bytes, because nothing says they are text. */
export type StorageValue =
  | { type: 'int64' | 'uint64'; value: bigint }
  | { type: 'int32' | 'int16' | 'int8' | 'uint32' | 'uint16' | 'uint8' | 'double'; value: number }
  | { type: 'string'; value: Uint8Array }
  | { type: 'bool'; value: boolean }
  | { type: 'object'; value: StorageSection }
  | { type: 'array'; of: StorageType; items: StorageItem[] };

/** The entries of a section by name, for documents without a field table. A name has one character (Latin-1) per byte. */
export type StorageSection = Map<string, StorageValue>;
