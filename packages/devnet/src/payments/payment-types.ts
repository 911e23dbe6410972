import { NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { DevAccount, DevCarrotAccount } from '../accounts.ts';

/** One recipient of a payment. */
export interface PaymentTarget {
  /** A main address, a subaddress or an integrated address. */
  readonly address: string;
  /** Atomic units. */
  readonly amount: bigint;
}

/** What may be wrong on purpose. */
const PAYMENT_FLAWS = ['root', 'proof', 'key-image', 'output'] as const;
/**
 * `root`: the proof is about the tree of another block than the one that it names. `proof`: one bit of it is changed. `key-image`, `output`: the point
 * of order two is added to the first key image or to the key of the first output, and all proofs are made for it.
 */
export type PaymentFlaw = (typeof PAYMENT_FLAWS)[number];

/** Options of `DevNode.pay`. */
export interface PayOptions {
  /** Who pays: an account with unlocked coins. */
  readonly from: DevAccount | DevCarrotAccount;
  /** Who is paid: an address with `amount`, or several recipients with theirs. */
  readonly to: string | readonly PaymentTarget[];
  /** Atomic units; for an address in `to`. */
  readonly amount?: bigint;
  /** Atomic units, however few; what the node asks for when absent. */
  readonly fee?: bigint;
  /** Global indices of the outputs among which each spent one hides; 15 unlocked ones by chance when absent. Others are refused. Below version 17. */
  readonly ring?: readonly number[];
  /** The height of the block whose tree the proof is about; the newest when absent. From version 17 on. */
  readonly referenceBlock?: number;
  /** What is wrong on purpose. From version 17 on. */
  readonly flaw?: PaymentFlaw;
  /** Spends what this payment spends, whether or not that is spent: a double spend. */
  readonly spend?: DevPayment;
  /** False: the payment is made but not sent. */
  readonly send?: boolean;
}

/** The options of a payment. */
export const PAY: OptionTable<PayOptions> = {
  from: NEEDED,
  to: NEEDED,
  amount: OPTIONAL,
  fee: OPTIONAL,
  ring: OPTIONAL,
  referenceBlock: OPTIONAL,
  flaw: { optional: true, choices: PAYMENT_FLAWS },
  spend: OPTIONAL,
  send: OPTIONAL,
};

/** A payment that was made. */
export interface DevPayment {
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** The whole transaction, for `send_raw_transaction` of any node. */
  readonly blob: Uint8Array;
  /** Atomic units. */
  readonly fee: bigint;
  /** What the fee is paid for: the bytes, and more for many outputs. */
  readonly weight: number;
  /** What returned to the sender, atomic units. */
  readonly change: bigint;
  /** Global indices of the outputs that it spends. */
  readonly spent: readonly number[];
  /**
   * With which wallets prove the payment (`check_tx_key`): the transaction's, then one for each output if there are any. 32 bytes each. None
   * from version 17 on.
   */
  readonly transactionSecrets: readonly Uint8Array[];
}

/** Why there is no payment. */
export type PaymentErrorCode =
  /** The account has too few unlocked coins, or its largest ones are too small for one transaction. */
  | 'no-coins'
  /** The chain has too few unlocked outputs for a ring. */
  | 'no-ring'
  /** The node did not take the transaction. */
  | 'refused'
  /** The transaction is neither in the pool nor in the chain, or can never be in it. */
  | 'lost';

/** Thrown when a payment is not made, not taken or not to be found. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError';
  readonly code: PaymentErrorCode;
  /** Why the node refused it, as `send_raw_transaction` answers: `double_spend`, `fee_too_low`, … */
  readonly reasons: readonly string[];
  /** The payment that was refused. */
  readonly payment: DevPayment | undefined;

  constructor(
    code: PaymentErrorCode,
    message: string,
    refused: { readonly reasons?: readonly string[]; readonly payment?: DevPayment } = {},
  ) {
    super(message);
    this.code = code;
    this.reasons = refused.reasons ?? [];
    this.payment = refused.payment;
  }
}
