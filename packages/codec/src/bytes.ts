import { abytes, concatBytes as nobleConcatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { DecodeError } from './errors.ts';

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

/** Throws TypeError, with the name of the argument and what it can be, for anything but one of the choices. */
export function assertChoice<Choice extends string>(
  value: unknown,
  name: string,
  choices: readonly Choice[],
): asserts value is Choice {
  if ((choices as readonly unknown[]).includes(value)) return;
  const found = typeof value === 'string' ? JSON.stringify(value) : typeof value;
  throw new TypeError(`"${name}" expected ${choices.join(', ')}, got ${found}`);
}

/**
 * Throws TypeError for anything but a Uint8Array, and RangeError for one of another number of bytes, each with the name of
 * the argument.
 */
export function assertBytes(
  value: unknown,
  name: string,
  length?: number,
): asserts value is Uint8Array {
  abytes(value as Uint8Array, length, name);
}

/** Bytes up to which the digits fit in one buffer that is used again. */
const AT_ONCE = 2048;
const DIGITS = '0123456789abcdef';

/** The two digits of each byte, as they are in memory. */
const PAIRS = /* @__PURE__ */ pairsOfDigits();
const buffer = /* @__PURE__ */ new Uint16Array(AT_ONCE);
const decoder = /* @__PURE__ */ new TextDecoder();

function pairsOfDigits(): Uint16Array {
  const digits = new Uint8Array(512);
  for (let byte = 0; byte < 256; byte++) {
    digits[2 * byte] = DIGITS.charCodeAt(byte >> 4);
    digits[2 * byte + 1] = DIGITS.charCodeAt(byte & 15);
  }
  return new Uint16Array(digits.buffer);
}

/**
 * Returns bytes as lower-case hex. Throws TypeError for anything but a Uint8Array.
 *
 * The digits are decoded in one step, because V8 keeps a string that was put together digit by digit as a tree of its parts:
 * an id takes 2 kB then instead of 80 bytes.
 */
export function toHex(bytes: Uint8Array): string {
  assertBytes(bytes, 'bytes');
  const { length } = bytes;
  const pairs = length <= AT_ONCE ? buffer : new Uint16Array(length);
  for (let i = 0; i < length; i++) pairs[i] = PAIRS[bytes[i] as number] as number;
  return decoder.decode(pairs.subarray(0, length));
}
