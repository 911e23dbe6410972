import { parseTxExtra, type Transaction } from '@monero-node/codec';

/** The keys and the payment id that a transaction's extra holds. Byte fields are views of it. */
export interface TransactionKeys {
  /** All public keys, 32 bytes each; normally one. */
  readonly publicKeys: readonly Uint8Array[];
  /** A public key for each output, where a subaddress is among several recipients; otherwise empty. */
  readonly additionalKeys: readonly Uint8Array[];
  /** 8 bytes, encrypted for the recipient. */
  readonly encryptedPaymentId?: Uint8Array | undefined;
  /** 32 bytes. Wallets ignore it from hard fork 12 on. */
  readonly longPaymentId?: Uint8Array | undefined;
}

/**
 * Returns what the extra of a transaction holds for recipients. An extra that is malformed counts up to its first bad
 * field; of additional keys and payment ids the first field counts, as in monerod's wallets.
 * Source: process_new_transaction in src/wallet/wallet2.cpp.
 */
export function transactionKeys({ extra }: Pick<Transaction, 'extra'>): TransactionKeys {
  const publicKeys: Uint8Array[] = [];
  let additionalKeys: readonly Uint8Array[] | undefined;
  let nonce: { paymentId?: Uint8Array; encryptedPaymentId?: Uint8Array } | undefined;
  for (const field of parseTxExtra(extra)) {
    if (field.kind === 'public-key') publicKeys.push(field.key);
    else if (field.kind === 'additional-public-keys') additionalKeys ??= field.keys;
    else if (field.kind === 'nonce') nonce ??= field;
  }
  return {
    publicKeys,
    additionalKeys: additionalKeys ?? [],
    encryptedPaymentId: nonce?.encryptedPaymentId,
    longPaymentId: nonce?.paymentId,
  };
}
