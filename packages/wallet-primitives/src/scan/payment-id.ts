import { assertBytes, concatBytes } from '@monero-node/codec/bytes';
import { type CryptoBackend, keccak256 } from '@monero-node/crypto';
import type { TransactionKeys } from './transaction-keys.ts';

/** Appended to a derivation. Source: HASH_KEY_ENCRYPTED_PAYMENT_ID in src/cryptonote_config.h. */
const DOMAIN = Uint8Array.of(0x8d);

/** A payment id of a transaction. */
export interface PaymentId {
  /** `short`: 8 bytes, which were encrypted. `long`: 32 bytes; wallets ignore it from hard fork 12 on. */
  readonly kind: 'short' | 'long';
  readonly id: Uint8Array;
}

/**
 * Returns the payment id encrypted or decrypted with a derivation (32 bytes), 8 bytes.
 * Throws RangeError for other sizes, and TypeError for anything but bytes.
 * Source: encrypt_payment_id in src/device/device_default.cpp.
 */
export function cryptPaymentId(paymentId: Uint8Array, derivation: Uint8Array): Uint8Array {
  assertBytes(paymentId, 'paymentId', 8);
  assertBytes(derivation, 'derivation', 32);
  const mask = keccak256(concatBytes(derivation, DOMAIN));
  return paymentId.map((byte, i) => byte ^ (mask[i] as number));
}

/**
 * Returns the payment id of a transaction for the recipient with a view key (a scalar of 32 bytes), or undefined without one. Like
 * monerod's wallets it is decrypted with the last public key of the transaction. Wallets add an encrypted one to
 * ordinary payments too, which decrypts to zeros.
 */
export function readPaymentId(
  { publicKeys, encryptedPaymentId, longPaymentId }: TransactionKeys,
  viewSecret: Uint8Array,
  backend: CryptoBackend,
): PaymentId | undefined {
  if (encryptedPaymentId !== undefined) {
    const [derivation] = backend.keyDerivations(viewSecret, publicKeys.slice(-1));
    if (derivation === undefined) return undefined;
    return { kind: 'short', id: cryptPaymentId(encryptedPaymentId, derivation) };
  }
  return longPaymentId && { kind: 'long', id: longPaymentId.slice() };
}
