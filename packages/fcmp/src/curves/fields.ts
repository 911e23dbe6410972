import { Field, invert as inverse, mod } from '@noble/curves/abstract/modular.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { RefusedProof } from '../refused-proof.ts';

// The three primes of the cycle. Names are those of the papers; source of the values: monero-oxide,
// crypto/helioselene/src/field/mod.rs, and RFC 7748.

/** The base field of Ed25519 and Helios, and the order of Selene. */
export const p = 2n ** 255n - 19n;
/** The base field of Selene, and the order of Helios. */
export const q = 2n ** 255n - 11686397589588510723982429389243424941n;
/** The order of the prime-order subgroup of Ed25519. */
export const l = 2n ** 252n + 27742317777372353535851937790883648493n;

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

const FIELDS = new Map([p, q].map((prime) => [prime, Field(prime)]));

function fieldOf(prime: bigint): ReturnType<typeof Field> {
  return FIELDS.get(prime) ?? Field(prime);
}

/** Returns a square root modulo a prime of an element, either of the two, or undefined if it has none. */
export function squareRoot(value: bigint, modulus: bigint): bigint | undefined {
  try {
    return fieldOf(modulus).sqrt(value);
  } catch {
    return undefined;
  }
}

/** Returns the inverse modulo a prime. Throws `RefusedProof` for zero. */
export function invert(value: bigint, modulus: bigint): bigint {
  const reduced = mod(value, modulus);
  if (reduced === 0n) throw new RefusedProof('zero has no inverse');
  return inverse(reduced, modulus);
}

/** Returns the inverses of many values modulo a prime with one inversion. Throws `RefusedProof` if one is zero. */
export function invertAll(values: readonly bigint[], modulus: bigint): bigint[] {
  // The products of all values before each.
  const products: bigint[] = [];
  let product = 1n;
  for (const value of values) {
    products.push(product);
    product = (product * value) % modulus;
  }
  let rest = invert(product, modulus);
  for (let i = values.length - 1; i >= 0; i--) {
    products[i] = mod((products[i] as bigint) * rest, modulus);
    rest = (rest * (values[i] as bigint)) % modulus;
  }
  return products;
}

/** Returns 1, x, x², … modulo a prime, with `count` entries. */
export function powersOf(x: bigint, count: number, modulus: bigint): bigint[] {
  const powers = [1n];
  for (let i = 1; i < count; i++) powers.push(((powers[i - 1] as bigint) * x) % modulus);
  return powers.slice(0, count);
}
