import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodePoint, G, Point } from './point.ts';
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

/** What an output to an address carries. */
export interface OneTimeOutput {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** One byte. */
  readonly viewTag: number;
}

const VIEW_TAG_SALT = utf8ToBytes('view_tag');

/** A fresh key pair, or the one of a secret in [1, l). */
export function createTransactionKey(secret: bigint = randomScalar()): TransactionKey {
  return { secret, publicKey: G.multiply(secret).toBytes() };
}

/** Whether both keys of an address are curve points, without which nobody can be paid there. */
export function areAddressKeys({ spendKey, viewKey }: AddressKeys): boolean {
  return decodePoint(viewKey) !== undefined && decodePoint(spendKey) !== undefined;
}

/**
 * What output `index` of a transaction to an address carries.
 *
 * @returns undefined when a key of the address is no curve point
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

/** D = 8·r·A. Source: generate_key_derivation in src/crypto/crypto.cpp. */
export function keyDerivation(viewKey: Uint8Array, secret: bigint): Uint8Array | undefined {
  const view = decodePoint(viewKey);
  if (view === undefined) return undefined;
  // The constant-time product does not take the identity.
  const product = view.is0() ? Point.ZERO : view.multiply(secret);
  return product.clearCofactor().toBytes();
}

/** Hs(D ‖ varint index)·G + B. Source: derive_public_key in src/crypto/crypto.cpp. */
export function oneTimeKey(
  derivation: Uint8Array,
  index: number,
  spendKey: Uint8Array,
): Uint8Array | undefined {
  const shift = hashToScalar(derivation, varint(index));
  return decodePoint(spendKey)?.add(G.multiplyUnsafe(shift)).toBytes();
}

/** First byte of the hash of "view_tag" ‖ D ‖ varint index. Source: derive_view_tag in src/crypto/crypto.cpp. */
export function viewTag(derivation: Uint8Array, index: number): number {
  return keccak_256(concatBytes(VIEW_TAG_SALT, derivation, varint(index)))[0] as number;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.of(...bytes, rest);
}
