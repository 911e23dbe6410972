import * as listFields from './list-fields.ts';
import * as scalarFields from './scalar-fields.ts';

/**
 * The kinds of message fields. Each takes `{ optional?, name? }` last (see FieldOptions).
 *
 * Integers: `u8` `u16` `u32` (number), `u64` `i64` (bigint), `num64` (a 64-bit field as a safe number).
 * Others: `double`, `bool`, `string` (UTF-8), `blob` (bytes), `pod(n)` (exactly n bytes), `object(schema)`.
 * Lists: `pods(n)` and `u64Blob` (packed into one string), `objects(schema)`, `blobs`, `strings`, `u64s`,
 * `numbers64`, `u32s`, `u8s` (arrays). `raw` hands over the stored entry.
 */
export const field = {
  u8: scalarFields.u8,
  u16: scalarFields.u16,
  u32: scalarFields.u32,
  u64: scalarFields.u64,
  num64: scalarFields.num64,
  i64: scalarFields.i64,
  double: scalarFields.double,
  bool: scalarFields.bool,
  string: scalarFields.string,
  blob: scalarFields.blob,
  pod: scalarFields.pod,
  pods: listFields.pods,
  u64Blob: listFields.u64Blob,
  object: listFields.object,
  objects: listFields.objects,
  blobs: listFields.blobs,
  strings: listFields.strings,
  u64s: listFields.u64s,
  numbers64: listFields.numbers64,
  u32s: listFields.u32s,
  u8s: listFields.u8s,
  raw: listFields.raw,
};
