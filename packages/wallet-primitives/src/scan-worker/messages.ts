import type { BackendChoice } from '@monero-node/crypto';
import type { Account, ViewAccount } from '../keys/account.ts';
import type { Lookahead } from '../keys/subaddress-table.ts';
import type { SubaddressIndex } from '../keys/subaddress.ts';
import type { CoinbaseScan } from '../scan/find-outputs.ts';
import type { PaymentId } from '../scan/payment-id.ts';
import type { ScannedOutput } from '../scan/scan.ts';
import type { ScannableBlock } from '../scan/scan-source.ts';

/** What a worker is started with. */
export interface ScanWorkerData {
  readonly account: ViewAccount | Account;
  readonly backend: BackendChoice;
  readonly lookahead: Lookahead | undefined;
  readonly coinbase: CoinbaseScan | undefined;
  /** A table of addresses that was stored; the worker makes a new one when it does not fit. */
  readonly table: Uint8Array | undefined;
}

/** A transaction as bytes, pruned or not. */
export interface TransactionBytes {
  readonly blob: Uint8Array;
  /** Hash of what was pruned, 32 bytes; undefined for a whole transaction. */
  readonly prunableHash: Uint8Array | undefined;
}

/** A job for a worker. `id` is that of its answer. */
export type ScanJob =
  | { readonly id: number; readonly kind: 'prepare' | 'save' }
  | { readonly id: number; readonly kind: 'use'; readonly at: SubaddressIndex }
  | { readonly id: number; readonly kind: 'blocks'; readonly blocks: readonly ScannableBlock[] }
  | {
      readonly id: number;
      readonly kind: 'transactions';
      readonly transactions: readonly TransactionBytes[];
    };

/** What is found in a transaction. The transaction itself stays with whoever asks. */
export interface FoundBytes {
  /** Position of the block or of the transaction in the list. */
  readonly at: number;
  /** Position in the block; 0 where transactions were given. */
  readonly transactionIndex: number;
  readonly isCoinbase: boolean;
  readonly outputs: readonly ScannedOutput[];
  readonly paymentId: PaymentId | undefined;
}

/** What a worker says of a job: progress any number of times, then the end or an error. */
export type ScanAnswer =
  | { readonly id: number; readonly kind: 'progress'; readonly done: number }
  /** `isNew` says that addresses were computed which no stored table had. */
  | { readonly id: number; readonly kind: 'prepared'; readonly isNew: boolean }
  | { readonly id: number; readonly kind: 'found'; readonly found: readonly FoundBytes[] }
  | { readonly id: number; readonly kind: 'saved'; readonly table: Uint8Array }
  /** `offset` is that of a DecodeError, whose class does not survive the way. */
  | {
      readonly id: number;
      readonly kind: 'failed';
      readonly error: unknown;
      readonly offset: number | undefined;
    };
