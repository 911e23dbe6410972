import type { Address, ParsedTransaction } from '@monero-node/codec';
import type { Coin } from './coins.ts';

/** Who is paid how much. */
export interface Recipient extends Pick<Address, 'kind' | 'spendKey' | 'viewKey' | 'paymentId'> {
  /** Atomic units. */
  readonly amount: bigint;
}

/** A payment that is to be made. */
export interface PaymentDraft {
  readonly coins: readonly Coin[];
  readonly recipients: readonly Recipient[];
  /** What returns to the sender, atomic units. */
  readonly change: bigint;
  /** Atomic units. */
  readonly fee: bigint;
}

/** A transaction with its proofs. */
export interface MadeTransaction {
  readonly signed: ParsedTransaction;
  /** With which wallets prove the payment, 32 bytes each. */
  readonly transactionSecrets: readonly Uint8Array[];
}

/** Makes the transactions of one version of the chain. */
export interface PaymentMaker {
  /** Most coins that a transaction can spend. */
  readonly mostInputs: number;
  /** Whether a coin that is unlocked can be spent now. */
  canSpend(coin: Coin): boolean;
  /** Returns the weight of the payment, in bytes. */
  weightOf(draft: PaymentDraft): number;
  /** Resolves with the transaction, which is made on the calling thread. */
  make(draft: PaymentDraft): Promise<MadeTransaction>;
}
