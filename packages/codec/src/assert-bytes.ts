import { abytes } from '@noble/hashes/utils.js';

/**
 * Throws TypeError for anything but a Uint8Array, and RangeError for one of another length, each with the name of the
 * argument.
 */
export function assertBytes(
  value: unknown,
  name: string,
  length?: number,
): asserts value is Uint8Array {
  abytes(value as Uint8Array, length, name);
}
