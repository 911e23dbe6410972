/**
 * A request as it came over the wire, whether JSON or portable storage: integers are bigint (signed or not), floating point
 * is number, strings are bytes (they may hold anything), objects are maps whose keys have one character per byte.
 * Arrays hold one kind of value and are never empty: an empty one counts as absent in both formats.
 */
export type WireValue = bigint | number | boolean | Uint8Array | WireArray | WireObject;
export type WireArray = WireValue[];
export type WireObject = Map<string, WireValue>;

/** Text of a wire string; bytes that are not UTF-8 become U+FFFD. */
export function wireText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
