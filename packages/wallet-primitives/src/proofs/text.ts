import { concatBytes, DecodeError, decodeBase58 } from '@monero-node/codec';
import { keccak256 } from '@monero-node/crypto';
import { ProofError } from '../errors.ts';

/** Longest text of a proof that is read: about ten thousand outputs. */
const MAX_TEXT = 4_000_000;

/**
 * Returns the text after the first of these headers that it begins with, and the header.
 * Throws ProofError when it begins with none, or is too long.
 */
export function readHeader<T extends string>(
  text: string,
  headers: readonly T[],
): { readonly header: T; readonly rest: string } {
  const header = headers.find((each) => text.startsWith(each));
  if (header === undefined)
    throw new ProofError('format', `the text does not begin with ${headers.join(' or ')}`);
  if (text.length > MAX_TEXT) throw new ProofError('format', 'the text is too long for a proof');
  return { header, rest: text.slice(header.length) };
}

/** Returns the bytes of base58 text. Throws ProofError when it is malformed or has another number of bytes than `size`. */
export function readBase58(text: string, size?: number): Uint8Array {
  try {
    const bytes = decodeBase58(text);
    if (size !== undefined && bytes.length !== size)
      throw new ProofError('format', `${size} bytes expected`);
    return bytes;
  } catch (error) {
    if (error instanceof DecodeError)
      throw new ProofError('format', error.message, { cause: error });
    throw error;
  }
}

/** Returns what proofs about a transaction sign, 32 bytes: the hash of its id (32 bytes) and the message in UTF-8. */
export function proofHash(txId: Uint8Array, message: string): Uint8Array {
  return keccak256(concatBytes(txId, new TextEncoder().encode(message)));
}
