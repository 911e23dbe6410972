import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { RefusedProof } from '../refused-proof.ts';

// The three primes of the cycle. Names are those of the papers; source of the values: monero-oxide,
// crypto/helioselene/src/field/mod.rs, and RFC 7748.

/** The base field of Ed25519 and Helios, and the order of Selene. */
export const p = 2n ** 255n - 19n;
/** The base field of Selene, and the order of Helios. */
export const q = 2n ** 255n - 11686397589588510723982429389243424941n;
/** The order of the prime-order subgroup of Ed25519. */
export const l = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Bytes of a field element, scalar or point. */
export const ELEMENT_BYTES = 32;

/** Returns `value` modulo a prime, in [0, modulus). */
export function reduce(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** Returns a field element as 32 bytes, little-endian. */
export function elementBytes(value: bigint): Uint8Array {
  return numberToBytesLE(value, ELEMENT_BYTES);
}

/** Returns the element of 32 bytes, little-endian. Throws `RefusedProof` unless it is below the modulus: all 256 bits count. */
export function decodeElement(bytes: Uint8Array, modulus: bigint): bigint {
  const value = bytesToNumberLE(bytes);
  if (value >= modulus) throw new RefusedProof('an element is not reduced');
  return value;
}

/** Returns 64 bytes as an integer, little-endian, modulo a prime. */
export function reduceWide(bytes: Uint8Array, modulus: bigint): bigint {
  return bytesToNumberLE(bytes) % modulus;
}

/** Returns base^exponent modulo a prime by windows of four bits. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const powers = [1n];
  for (let i = 1; i < 16; i++) powers.push(((powers[i - 1] as bigint) * base) % modulus);
  let result = 1n;
  for (const digit of exponent.toString(16)) {
    for (let i = 0; i < 4; i++) result = (result * result) % modulus;
    result = (result * (powers[Number.parseInt(digit, 16)] as bigint)) % modulus;
  }
  return result;
}

const SQRT_MINUS_ONE = power(2n, (p - 1n) / 4n, p);

/**
 * Returns a square root of `value`, either of the two, or undefined if it has none. The modulus is p or q, which are 5
 * modulo 8 and 3 modulo 4.
 */
export function squareRoot(value: bigint, modulus: bigint): bigint | undefined {
  const exponent = modulus === p ? (p + 3n) / 8n : (modulus + 1n) / 4n;
  let root = power(value, exponent, modulus);
  if (modulus === p && (root * root) % p !== value) root = (root * SQRT_MINUS_ONE) % p;
  return (root * root) % modulus === value ? root : undefined;
}

/** Returns the inverse modulo a prime, by Euclid's algorithm. Throws `RefusedProof` for zero. */
export function invert(value: bigint, modulus: bigint): bigint {
  let [a, b] = [reduce(value, modulus), modulus];
  if (a === 0n) throw new RefusedProof('zero has no inverse');
  let [x, u] = [1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - b * quotient];
    [x, u] = [u, x - u * quotient];
  }
  return reduce(x, modulus);
}

/** Returns the inverses of many values modulo a prime with one inversion, after Montgomery. Throws `RefusedProof` if one is zero. */
export function invertAll(values: readonly bigint[], modulus: bigint): bigint[] {
  let product = 1n;
  const before = values.map((value) => {
    const prefix = product;
    product = (product * value) % modulus;
    return prefix;
  });
  let inverse = invert(product, modulus);
  const inverses = new Array<bigint>(values.length);
  for (let i = values.length - 1; i >= 0; i--) {
    inverses[i] = reduce(inverse * (before[i] as bigint), modulus);
    inverse = reduce(inverse * (values[i] as bigint), modulus);
  }
  return inverses;
}

/** Returns 1, x, x², … modulo a prime, with `count` entries. */
export function powersOf(x: bigint, count: number, modulus: bigint): bigint[] {
  const powers = [1n];
  for (let i = 1; i < count; i++) powers.push(((powers[i - 1] as bigint) * x) % modulus);
  return powers.slice(0, count);
}
