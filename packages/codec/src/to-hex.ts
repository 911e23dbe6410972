import { assertBytes } from './assert-bytes.ts';

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
