import { concatBytes as nobleConcatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { assertBytes } from './assert-bytes.ts';
import { DecodeError } from './errors.ts';

export { assertBytes } from './assert-bytes.ts';
export { toHex } from './to-hex.ts';

/**
 * Returns the bytes of a hex string in either case.
 * Throws DecodeError when the length is odd or a character is not a hex digit, and TypeError for anything but a string.
 */
export function fromHex(text: string): Uint8Array {
  assertString(text, 'hex');
  if (text.length % 2 !== 0) throw new DecodeError('hex string of odd length', text.length);
  const bad = text.search(/[^0-9a-fA-F]/);
  if (bad !== -1) throw new DecodeError('not a hex digit', bad);
  return hexToBytes(text);
}

/**
 * Returns whether two byte strings have the same length and content. Not constant time: for public data only.
 * Throws TypeError for anything but bytes, such as the hex of one of them.
 */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  assertBytes(a, 'a');
  assertBytes(b, 'b');
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Returns one new array that holds the bytes of all parts in order. */
export function concatBytes(...parts: Uint8Array[]): Uint8Array {
  return nobleConcatBytes(...parts);
}

/**
 * Compares bytes as memcmp does: returns a negative number, zero or a positive number. A prefix sorts first.
 * Throws TypeError for anything but bytes.
 */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  assertBytes(a, 'a');
  assertBytes(b, 'b');
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * Returns the same bytes, not copied, as a plain Uint8Array. Decoders take their views from it: views of a Node Buffer are
 * Buffers, which compare unequal to plain arrays in tests, and whose `slice` does not copy.
 *
 * Throws TypeError for anything but a Uint8Array: all decoders begin here.
 */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  assertBytes(bytes, 'bytes');
  return bytes.constructor === Uint8Array
    ? bytes
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Throws TypeError, with the name of the argument, for anything but a string. */
export function assertString(value: unknown, name: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new TypeError(`"${name}" expected string, got type=${typeof value}`);
}
