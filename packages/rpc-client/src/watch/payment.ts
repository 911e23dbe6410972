import { fromHex, toHex } from '@monero-node/codec/bytes';
import type { ParsedTransaction } from '@monero-node/codec';
import type { BlockEntry } from '@monero-node/rpc-schema';
import { readPosition, type WatchPosition } from './position.ts';
import { WatchError } from './watch-error.ts';

/** An output of an account, as a scanner finds it. */
export interface FoundPayment {
  /** Position in the transaction. */
  readonly index: number;
  /** One-time key, 32 bytes. */
  readonly key: Uint8Array;
  /** Atomic units. */
  readonly amount: bigint;
  readonly subaddress: { readonly account: number; readonly index: number };
}

/** A transaction with outputs of an account, as a scanner finds it. */
export interface FoundTransaction {
  readonly transaction: Pick<ParsedTransaction, 'id' | 'tx'>;
  readonly isCoinbase: boolean;
  readonly outputs: readonly FoundPayment[];
  readonly paymentId?: { readonly kind: 'short' | 'long'; readonly id: Uint8Array } | undefined;
}

/**
 * Finds the outputs of an account: a `Scanner` of `@monero-node/wallet-primitives`, or what `createScanWorker` of
 * `@monero-node/wallet-primitives/scan-worker` returns.
 */
export interface PaymentScanner {
  /** Returns what blocks bring, in order, with the position of each block in the list. */
  scanBlocks(
    blocks: readonly BlockEntry[],
  ): readonly ScannedInBlock[] | PromiseLike<readonly ScannedInBlock[]>;
  /** Returns for each transaction what it brings. */
  scan(
    transactions: readonly ParsedTransaction[],
  ): readonly FoundTransaction[] | PromiseLike<readonly FoundTransaction[]>;
}

/** A transaction of a block with outputs of an account. */
export interface ScannedInBlock extends FoundTransaction {
  readonly blockIndex: number;
  /** Position in the block: 0 for the coinbase, then the others in order. */
  readonly transactionIndex: number;
}

/** An output that was paid to the account. */
export interface Payment {
  /**
   * The one-time key of the output, 32 bytes in hex. Of several outputs with the same key only one can ever be spent: make it the unique
   * key where you count payments, and none counts twice.
   */
  readonly key: string;
  /** Id of the transaction, 32 bytes in hex. */
  readonly transaction: string;
  /** Position of the output in the transaction. */
  readonly output: number;
  /** Atomic units. */
  readonly amount: bigint;
  /** The address that was paid: 0, 0 is the main one. */
  readonly subaddress: { readonly account: number; readonly index: number };
  /** The payment id of an integrated address, 8 bytes in hex; undefined without one. All zeros in payments of wallets that hide that there is none. */
  readonly paymentId: string | undefined;
  /** Whether it is the reward of a block, which can be spent 60 blocks later. */
  readonly isCoinbase: boolean;
  /** 0 for outputs that can be spent after ten blocks. Do not take other ones for money: a height, or from 500,000,000 on Unix seconds. */
  readonly unlockTime: bigint;
  /** The height of its block; undefined in the pool. */
  readonly height: number | undefined;
}

/** A position of {@link watchPayments}: that of the chain, and the payments that a reorganization may take away. */
export interface PaymentsPosition extends WatchPosition {
  readonly payments: readonly StoredPayment[];
}

/** A payment as plain data: amounts are decimal numbers. */
export type StoredPayment = Omit<Payment, 'amount' | 'unlockTime' | 'paymentId' | 'height'> & {
  readonly amount: string;
  readonly unlockTime: string;
  readonly paymentId: string | null;
  readonly height: number;
};

/**
 * Returns the payments of a transaction in a block at a height, a number of blocks; undefined for one in the pool.
 *
 * @param id of the transaction, 32 bytes
 */
export function paymentsOf(
  found: FoundTransaction,
  id: Uint8Array,
  height: number | undefined,
): Payment[] {
  const { transaction, isCoinbase, outputs, paymentId } = found;
  return outputs.map(({ index, key, amount, subaddress }) => ({
    key: toHex(key),
    transaction: toHex(id),
    output: index,
    amount,
    subaddress: { account: subaddress.account, index: subaddress.index },
    paymentId: paymentId?.kind === 'short' ? toHex(paymentId.id) : undefined,
    isCoinbase,
    unlockTime: isCoinbase ? 0n : transaction.tx.unlockTime,
    height,
  }));
}

/** Returns a payment of a block as plain data. */
export function storedPayment(payment: Payment, height: number): StoredPayment {
  const { key, transaction, output, amount, subaddress, paymentId, isCoinbase, unlockTime } =
    payment;
  return {
    key,
    transaction,
    output,
    amount: amount.toString(),
    subaddress,
    paymentId: paymentId ?? null,
    isCoinbase,
    unlockTime: unlockTime.toString(),
    height,
  };
}

/** Most payments that a position holds: a chain of 1000 full blocks cannot have more outputs of one account than these. */
const MOST_PAYMENTS = 1_000_000;
const HASH = 32;
const PAYMENT_ID = 8;
const NUMBER = /^\d{1,20}$/;

/** Returns a position that was stored, checked. Throws WatchError with the code `bad-position` for anything else. */
export function readPaymentsPosition(value: unknown): PaymentsPosition {
  const { version, genesis, from, height, ids, work } = readPosition(value);
  const { payments } = value as { readonly payments?: unknown };
  if (!Array.isArray(payments) || payments.length > MOST_PAYMENTS) throw bad('no list');
  const list: unknown[] = payments;
  const read = list.map((each) => readPayment(each, height - ids.length + 1, height));
  return { version, genesis, from, height, ids, work, payments: read };
}

function bad(what: string): WatchError {
  return new WatchError('bad-position', `position: payments: ${what}`);
}

/** Returns a payment that was stored, checked; of a block between two heights. */
function readPayment(value: unknown, first: number, last: number): StoredPayment {
  if (typeof value !== 'object' || value === null) throw bad('not an object');
  const given = value as Partial<Record<keyof StoredPayment, unknown>>;
  const { subaddress } = given;
  const { account, index } = (
    typeof subaddress === 'object' && subaddress !== null ? subaddress : {}
  ) as { readonly account?: unknown; readonly index?: unknown };
  return {
    key: hexOf(given.key, HASH),
    transaction: hexOf(given.transaction, HASH),
    output: wholeOf(given.output, 0, 2 ** 32),
    amount: numberOf(given.amount),
    subaddress: { account: wholeOf(account, 0, 2 ** 32), index: wholeOf(index, 0, 2 ** 32) },
    paymentId: given.paymentId === null ? null : hexOf(given.paymentId, PAYMENT_ID),
    isCoinbase: given.isCoinbase === true,
    unlockTime: numberOf(given.unlockTime),
    height: wholeOf(given.height, first, last),
  };
}

function hexOf(value: unknown, size: number): string {
  if (typeof value === 'string' && value.length === 2 * size && /^[0-9a-f]*$/.test(value)) {
    return toHex(fromHex(value));
  }
  throw bad(`not ${size} bytes in hex`);
}

function wholeOf(value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw bad(`not a number from ${least} to ${most}`);
}

function numberOf(value: unknown): string {
  if (typeof value === 'string' && NUMBER.test(value)) return value;
  throw bad('not a decimal number');
}
