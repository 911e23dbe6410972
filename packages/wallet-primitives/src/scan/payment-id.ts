import { assertBytes, concatBytes } from '@monero-node/codec/bytes';
import { type CryptoBackend, keccak256 } from '@monero-node/crypto';
import type { ScanTask } from './find-outputs.ts';

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
 * Returns the payment id of a transaction for the recipient with a view key (a scalar of 32 bytes), or undefined without one. It
 * is decrypted with the public key whose outputs were found last, as wallets do since November 2025; those of v0.18.5.1 and before take the
 * transaction's last public key, which differs only for a transaction with several. Wallets add an encrypted one
 * to ordinary payments too, which decrypts to zeros.
 * Source: process_new_transaction in src/wallet/wallet2.cpp of monero's master branch, commit 1bcca58d8.
 */
export function readPaymentId(
  { keys, found }: Pick<ScanTask, 'keys' | 'found'>,
  viewSecret: Uint8Array,
  backend: CryptoBackend,
): PaymentId | undefined {
  const { publicKeys, encryptedPaymentId, longPaymentId } = keys;
  if (encryptedPaymentId === undefined) {
    return longPaymentId && { kind: 'long', id: longPaymentId.slice() };
  }
  // Additional keys are tried together with the first public key.
  const passes = [...found.values()].map(({ publicKey }) =>
    publicKey === 'additional' ? 0 : publicKey,
  );
  const publicKey = publicKeys[Math.max(0, ...passes)];
  const [derivation] = backend.keyDerivations(
    viewSecret,
    publicKey === undefined ? [] : [publicKey],
  );
  if (derivation === undefined) return undefined;
  return { kind: 'short', id: cryptPaymentId(encryptedPaymentId, derivation) };
}
