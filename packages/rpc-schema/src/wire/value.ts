import { utf8ToText } from './text.ts';

/**
 * A request as it came over the wire, whether JSON or portable storage. Integers are numbers as long as they are safe
 * and bigints beyond; strings are bytes (they may hold anything); names have one character per byte. Arrays hold one
 * kind of value and are never empty: an empty one counts as absent in both formats.
 */
export type WireValue =
  number | bigint | WireDouble | boolean | Uint8Array | WireArray | WireObject;
export type WireArray = WireValue[];
export type WireObject = Map<string, WireValue>;

/** A floating point number. No field takes one, but it may be the id of a call. */
export class WireDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Returns an integer of at most 53 bits as a number, a longer one as a bigint. */
export function wireInteger(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** Returns the text of a wire string; U+FFFD stands for bytes that are not UTF-8. */
export function wireText(bytes: Uint8Array): string {
  return utf8ToText(bytes);
}
