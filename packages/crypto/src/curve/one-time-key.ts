import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodePoint, G, isCurvePoint, Point } from './point.ts';
import { hashToScalar, randomScalar } from './scalar.ts';

/** The key pair of a transaction; the public key, 32 bytes, goes into the transaction's extra. */
export interface TransactionKey {
  /** In [1, l). */
  readonly secret: bigint;
  readonly publicKey: Uint8Array;
}

/** The public keys of an address, 32 bytes each. */
export interface AddressKeys {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
}

/** The fields of an output that depend on the address it pays. */
export interface OneTimeOutput {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** One byte. */
  readonly viewTag: number;
}

const VIEW_TAG_SALT = utf8ToBytes('view_tag');

/**
 * Returns the base point with a small table of multiples. That of `G`, for many products, takes 20 to 50 ms to compute, which the
 * first block template of a node would wait for. Products by a secret take the same steps for every secret; noble's further
 * blinding is for its own base point only.
 */
function tabledBase(): Point {
  // noble computes the multiples when the first product needs them.
  return Point.fromAffine(G.toAffine()).precompute(4);
}

const BASE = /* @__PURE__ */ tabledBase();

/** Returns the key pair of a secret scalar in [1, l), by default a random one. The public key has 32 bytes. */
export function createTransactionKey(secret: bigint = randomScalar()): TransactionKey {
  return { secret, publicKey: BASE.multiply(secret).toBytes() };
}

/**
 * Returns the key pair with which a transaction pays a subaddress: the public key, 32 bytes, is the secret in [1, l) times its spend
 * key, 32 bytes. Throws RangeError for a key that is not a curve point, and for the identity.
 * Source: construct_tx_with_tx_key in src/cryptonote_core/cryptonote_tx_utils.cpp.
 */
export function createSubaddressTransactionKey(
  spendKey: Uint8Array,
  secret: bigint = randomScalar(),
): TransactionKey {
  const point = decodePoint(spendKey);
  if (point === undefined || point.is0()) throw new RangeError('not the spend key of a subaddress');
  return { secret, publicKey: point.multiply(secret).toBytes() };
}

/**
 * Returns whether both keys of an address are curve points; otherwise the address cannot be paid. Throws TypeError for
 * anything but bytes.
 */
export function areAddressKeys({ spendKey, viewKey }: AddressKeys): boolean {
  return isCurvePoint(viewKey) && isCurvePoint(spendKey);
}

/**
 * Returns the fields of output `index` of a transaction that pays an address, or undefined when a key of
 * the address is not a curve point.
 */
export function oneTimeOutput(
  { secret }: TransactionKey,
  { spendKey, viewKey }: AddressKeys,
  index: number,
): OneTimeOutput | undefined {
  const derivation = keyDerivation(viewKey, secret);
  if (derivation === undefined) return undefined;
  const key = oneTimeKey(derivation, index, spendKey);
  return key === undefined ? undefined : { key, viewTag: viewTag(derivation, index) };
}

/**
 * Returns the derivation D = 8·r·A, 32 bytes, of a view key A (32 bytes) and a secret r in [1, l), or
 * undefined when the key is not a curve point. Source: generate_key_derivation in src/crypto/crypto.cpp.
 */
export function keyDerivation(viewKey: Uint8Array, secret: bigint): Uint8Array | undefined {
  const view = decodePoint(viewKey);
  if (view === undefined) return undefined;
  // The constant-time product does not take the identity.
  const product = view.is0() ? Point.ZERO : view.multiply(secret);
  return product.clearCofactor().toBytes();
}

/**
 * Returns the one-time key Hs(D ‖ varint index)·G + B, 32 bytes, or undefined when the spend key B is not a
 * curve point. Source: derive_public_key in src/crypto/crypto.cpp.
 */
export function oneTimeKey(
  derivation: Uint8Array,
  index: number,
  spendKey: Uint8Array,
): Uint8Array | undefined {
  const shift = hashToScalar(derivation, varint(index));
  return decodePoint(spendKey)?.add(BASE.multiplyUnsafe(shift)).toBytes();
}

/**
 * Returns the view tag, the first byte of the hash of "view_tag" ‖ D ‖ varint index.
 * Source: derive_view_tag in src/crypto/crypto.cpp.
 */
export function viewTag(derivation: Uint8Array, index: number): number {
  return keccak_256(concatBytes(VIEW_TAG_SALT, derivation, varint(index)))[0] as number;
}

/** Returns a whole number below 2^53 as a varint. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.of(...bytes, rest);
}
