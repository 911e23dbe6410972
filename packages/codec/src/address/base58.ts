import { assertBytes, assertString } from '../bytes.ts';
import { DecodeError } from '../errors.ts';

/**
 * Monero's base58 encodes blocks of 8 bytes as 11 characters each, and a shorter last block; it does not treat
 * the bytes as one number. Source: src/common/base58.cpp.
 */

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BLOCK_BYTES = 8;
const BLOCK_CHARACTERS = 11;
/** Characters for a block of 0 … 8 bytes. */
const ENCODED_SIZES = [0, 2, 3, 5, 6, 7, 9, 10, 11];

/** Returns bytes as base58 text: 11 characters for each 8 bytes, fewer for a last part. Throws TypeError for anything but bytes. */
export function encodeBase58(bytes: Uint8Array): string {
  assertBytes(bytes, 'bytes');
  let text = '';
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    text += encodeBlock(bytes.subarray(at, at + BLOCK_BYTES));
  }
  return text;
}

/**
 * Returns the bytes of base58 text: 8 for each 11 characters, fewer for a last part.
 * Throws DecodeError for a character outside the alphabet, an impossible length or a block that overflows, and TypeError
 * for anything but a string.
 */
export function decodeBase58(text: string): Uint8Array {
  assertString(text, 'text');
  const lastSize = ENCODED_SIZES.indexOf(text.length % BLOCK_CHARACTERS);
  if (lastSize === -1) throw new DecodeError('impossible base58 length', text.length);
  const fullBlocks = Math.floor(text.length / BLOCK_CHARACTERS);
  const bytes = new Uint8Array(fullBlocks * BLOCK_BYTES + lastSize);
  for (let block = 0; block * BLOCK_BYTES < bytes.length; block++) {
    const start = block * BLOCK_CHARACTERS;
    const size = block < fullBlocks ? BLOCK_BYTES : lastSize;
    const value = decodeBlock(text, start, ENCODED_SIZES[size] as number);
    if (value >= 1n << BigInt(8 * size)) throw new DecodeError('base58 block overflows', start);
    for (let i = 0; i < size; i++) {
      bytes[block * BLOCK_BYTES + i] = Number((value >> BigInt(8 * (size - 1 - i))) & 0xffn);
    }
  }
  return bytes;
}

function encodeBlock(block: Uint8Array): string {
  let value = 0n;
  for (const byte of block) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < (ENCODED_SIZES[block.length] as number); i++) {
    text = (ALPHABET[Number(value % 58n)] as string) + text;
    value /= 58n;
  }
  return text;
}

function decodeBlock(text: string, start: number, length: number): bigint {
  let value = 0n;
  for (let i = start; i < start + length; i++) {
    const digit = ALPHABET.indexOf(text.charAt(i));
    if (digit === -1) throw new DecodeError('not a base58 character', i);
    value = value * 58n + BigInt(digit);
  }
  return value;
}
