import type { Address } from '@monero-node/codec';
import { bytesEqual } from '@monero-node/codec';
import { assertBytes } from '@monero-node/codec/bytes';
import { type CryptoBackend, toMontgomery } from '@monero-node/crypto';
import type { AnyAccount } from '../keys/carrot-account.ts';
import { IDENTITY, MINUS_ONE, ONE, type PointAdder, sumOf } from '../keys/points.ts';
import { type SubaddressIndex, subaddressSpendKeys } from '../keys/subaddress.ts';
import {
  amountBytes,
  type CarrotCoinbaseEnote,
  type CarrotEnote,
  carrotCommitmentMask,
  coinbaseExtensionOf,
  coinbaseInputContext,
  commitTo,
  contextSecret,
  cryptAnchor,
  cryptCarrotAmount,
  cryptCarrotPaymentId,
  type EnoteType,
  ephemeralPublicKey,
  ephemeralSecret,
  extensionOf,
  extensionPoint,
  NO_PAYMENT_ID,
  sharedSecret,
  specialAnchor,
  viewTagOf,
} from './enote.ts';

/** The address that an output pays. */
export type CarrotDestination = Pick<Address, 'kind' | 'spendKey' | 'viewKey' | 'paymentId'>;

/** An output for somebody else's address. */
export interface CarrotPayment {
  readonly destination: CarrotDestination;
  /** Atomic units, below 2^64. */
  readonly amount: bigint;
  /** 16 random bytes, used once. Who knows them can prove the payment. */
  readonly anchor: Uint8Array;
}

/** An output that an account pays itself. */
export interface CarrotSelfSend {
  /** The address of the account; its main address by default. */
  readonly at?: SubaddressIndex;
  /** Atomic units, below 2^64. */
  readonly amount: bigint;
  readonly type: EnoteType;
  /** 16 bytes that the account leaves for itself; only where it has its view balance secret. Zeros by default. */
  readonly message?: Uint8Array;
}

/** An output, and what its sender needs to prove amounts. */
export interface MadeEnote {
  readonly enote: CarrotEnote;
  readonly amount: bigint;
  /** The mask of the commitment, a scalar of 32 bytes. */
  readonly mask: Uint8Array;
}

/** A normal output, and the payment id that the transaction must carry for its recipient. */
export interface MadePayment extends MadeEnote {
  /** 8 bytes. */
  readonly encryptedPaymentId: Uint8Array;
}

/** What the parts of every output are computed from. */
interface Parts {
  readonly spendKey: Uint8Array;
  readonly amount: bigint;
  readonly type: EnoteType;
  readonly ephemeral: Uint8Array;
  readonly context: Uint8Array;
  /** The shared secret or, in an internal output, the view balance secret, 32 bytes. */
  readonly shared: Uint8Array;
  /** Returns the anchor, 16 bytes. */
  readonly anchorFor: (onetimeAddress: Uint8Array) => Uint8Array;
}

const ANCHOR_SIZE = 16;

/**
 * Returns d_e, a scalar, and D_e of a payment for the context of its transaction (33 bytes), 32 bytes each.
 * Throws RangeError for an anchor that is zero or a spend key that is no point.
 */
export function ephemeralKeys(
  { destination, anchor }: CarrotPayment,
  context: Uint8Array,
  backend: PointAdder,
): { readonly secret: Uint8Array; readonly publicKey: Uint8Array } {
  assertBytes(anchor, 'anchor', ANCHOR_SIZE);
  if (anchor.every((byte) => byte === 0)) throw new RangeError('an anchor is random');
  const { spendKey, kind } = destination;
  const paymentId = destination.paymentId ?? NO_PAYMENT_ID;
  const secret = ephemeralSecret(anchor, context, spendKey, paymentId);
  const isSubaddress = kind === 'subaddress';
  return { secret, publicKey: ephemeralPublicKey(secret, { spendKey, isSubaddress }, backend) };
}

/**
 * Returns an output that pays an address, for the context of its transaction (33 bytes).
 * Throws RangeError for an amount or an anchor out of range, or an address whose keys are no points of the prime-order subgroup.
 * Source: get_output_proposal_normal_v1 in src/carrot_core/payment_proposal.cpp.
 */
export function makePayment(
  payment: CarrotPayment,
  context: Uint8Array,
  backend: PointAdder,
): MadePayment {
  const { destination, amount, anchor } = payment;
  const { spendKey } = destination;
  const { secret: d, publicKey } = ephemeralKeys(payment, context, backend);
  const shared = senderSecret(d, destination, backend);
  const parts = {
    spendKey,
    amount,
    type: 'payment',
    ephemeral: publicKey,
    context,
    shared,
  } as const;
  const { secret, made } = makeEnote({ ...parts, anchorFor: () => anchor }, backend);
  const paymentId = destination.paymentId ?? NO_PAYMENT_ID;
  const { onetimeAddress } = made.enote;
  const encryptedPaymentId = cryptCarrotPaymentId(paymentId, secret, onetimeAddress);
  return { enote: made.enote, amount, mask: made.mask, encryptedPaymentId };
}

/**
 * Returns an output that an account pays itself. With its view balance secret it is internal: nobody who has the view secret alone finds it.
 * Otherwise it is one that the view secret finds.
 *
 * @param ephemeral D_e, 32 bytes: that of the other output of two, or a random one
 * @param context of the transaction, 33 bytes
 *
 * Throws RangeError for an amount out of range, or a message without view balance secret.
 * Source: get_output_proposal_internal_v1 and get_output_proposal_special_v1, same file.
 */
export function makeSelfSend(
  { at = { account: 0, index: 0 }, amount, type, message }: CarrotSelfSend,
  ephemeral: Uint8Array,
  context: Uint8Array,
  { account, backend }: { readonly account: AnyAccount; readonly backend: CryptoBackend },
): MadeEnote {
  const [spendKey] = subaddressSpendKeys(account, [at], backend) as [Uint8Array];
  const parts = { spendKey, amount, type, ephemeral, context };
  if ('viewBalanceSecret' in account) {
    const anchor = message ?? new Uint8Array(ANCHOR_SIZE);
    assertBytes(anchor, 'message', ANCHOR_SIZE);
    const internal = { ...parts, shared: account.viewBalanceSecret, anchorFor: () => anchor };
    return makeEnote(internal, backend).made;
  }
  if (message !== undefined) throw new RangeError('a message needs the view balance secret');
  const { viewSecret } = account;
  const shared = sharedSecret(viewSecret, ephemeral);
  const anchorFor = (onetimeAddress: Uint8Array): Uint8Array =>
    specialAnchor(viewSecret, {
      ephemeralPublicKey: ephemeral,
      inputContext: context,
      onetimeAddress,
    });
  return makeEnote({ ...parts, shared, anchorFor }, backend).made;
}

/**
 * Returns the output with which a block at this height pays its miner.
 * Throws RangeError for an address that is not a main address, and as {@link makePayment}.
 * Source: get_coinbase_enote_v1, same file.
 */
export function makeCoinbaseEnote(
  payment: CarrotPayment,
  height: number,
  backend: PointAdder,
): CarrotCoinbaseEnote {
  const { destination, amount, anchor } = payment;
  if (destination.kind !== 'standard') throw new RangeError('a coinbase pays a main address');
  const { spendKey } = destination;
  const context = coinbaseInputContext(height);
  const { secret: d, publicKey } = ephemeralKeys(payment, context, backend);
  const shared = senderSecret(d, destination, backend);
  const secret = contextSecret(shared, publicKey, context);
  const extension = extensionPoint(coinbaseExtensionOf(secret, amount, spendKey), backend);
  const onetimeAddress = sumOf({ a: ONE, A: spendKey, b: ONE, B: extension }, backend);
  return {
    onetimeAddress,
    amount,
    viewTag: viewTagOf(shared, context, onetimeAddress),
    encryptedAnchor: cryptAnchor(anchor, secret, onetimeAddress),
    ephemeralPublicKey: publicKey,
    inputContext: context,
  };
}

/** Returns s_sr = d_e·K_v^j, 32 bytes. Throws RangeError for keys that are no points of the prime-order subgroup. */
function senderSecret(
  secret: Uint8Array,
  { spendKey, viewKey }: CarrotDestination,
  backend: PointAdder,
): Uint8Array {
  for (const key of [spendKey, viewKey]) {
    // l·P, as scalars are below l.
    const product = sumOf({ a: MINUS_ONE, A: key, b: ONE, B: key }, backend);
    if (!bytesEqual(product, IDENTITY)) throw new RangeError('not the keys of an address');
  }
  return sharedSecret(secret, toMontgomery(viewKey) as Uint8Array);
}

/** Makes an output, and returns its secret of 32 bytes with it. */
function makeEnote(
  { spendKey, amount, type, ephemeral, context, shared, anchorFor }: Parts,
  backend: PointAdder,
): { readonly secret: Uint8Array; readonly made: MadeEnote } {
  const secret = contextSecret(shared, ephemeral, context);
  const mask = carrotCommitmentMask(secret, amount, spendKey, type);
  const amountCommitment = commitTo(amount, mask, backend);
  const extension = extensionPoint(extensionOf(secret, amountCommitment), backend);
  const onetimeAddress = sumOf({ a: ONE, A: spendKey, b: ONE, B: extension }, backend);
  const enote: CarrotEnote = {
    onetimeAddress,
    amountCommitment,
    encryptedAmount: cryptCarrotAmount(amountBytes(amount), secret, onetimeAddress),
    viewTag: viewTagOf(shared, context, onetimeAddress),
    encryptedAnchor: cryptAnchor(anchorFor(onetimeAddress), secret, onetimeAddress),
    ephemeralPublicKey: ephemeral,
    inputContext: context,
  };
  return { secret, made: { enote, amount, mask } };
}
