import { mod } from '@noble/curves/abstract/modular.js';
import { keccak256 } from '@monero-node/keccak';
import { blake2b } from '@noble/hashes/blake2.js';
import {
  type EdArithmetic,
  type EdPoint,
  MONTGOMERY_A,
  REFERENCE_ED_ARITHMETIC,
} from './ed25519.ts';
import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { elementBytes, p, reduceWide } from './fields.ts';

/** Elligator 2 with the non-residue 2, times the cofactor. All 256 bits of the 32 bytes count, modulo p. */
function map(bytes: Uint8Array, { decode, invert, squareRoot }: EdArithmetic): EdPoint {
  const r = reduceWide(bytes, p);
  const v = mod(-MONTGOMERY_A * invert(1n + 2n * r * r), p);
  const isSquare = squareRoot(mod(((v + MONTGOMERY_A) * v + 1n) * v, p)) !== undefined;
  const u = isSquare ? v : mod(-v - MONTGOMERY_A, p);
  const encoding = elementBytes(mod((u - 1n) * invert(u + 1n), p));
  if (isSquare) encoding[ELEMENT_BYTES - 1] = (encoding[ELEMENT_BYTES - 1] as number) | 0x80;
  return decode(encoding).clearCofactor();
}

/**
 * Returns Hp(data), for any number of bytes, of Keccak-256 and one map: the key image generator of outputs before Carrot. Source: `biased_hash_to_ec` in
 * monero, src/crypto/crypto.cpp.
 */
export function biasedHashToPoint(
  data: Uint8Array,
  arithmetic: EdArithmetic = REFERENCE_ED_ARITHMETIC,
): EdPoint {
  return map(keccak256(data), arithmetic);
}

/**
 * Returns Hp(data), for any number of bytes, of BLAKE2b-512 and the sum of two maps: the key image generator of Carrot outputs, and of T, U and V.
 * Source: `unbiased_hash_to_ec` in monero, src/crypto/crypto.cpp.
 */
export function unbiasedHashToPoint(
  data: Uint8Array,
  arithmetic: EdArithmetic = REFERENCE_ED_ARITHMETIC,
): EdPoint {
  const hash = blake2b(data, { dkLen: 64 });
  const [first, second] = [hash.subarray(0, ELEMENT_BYTES), hash.subarray(ELEMENT_BYTES)];
  return map(first, arithmetic).add(map(second, arithmetic));
}
