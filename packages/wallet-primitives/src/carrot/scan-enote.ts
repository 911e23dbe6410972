import { bytesEqual } from '@monero-node/codec';
import { type CryptoBackend, subtractScalars } from '@monero-node/crypto';
import type { AnyAccount } from '../keys/carrot-account.ts';
import { ONE, ZERO } from '../keys/points.ts';
import type { SubaddressIndex } from '../keys/subaddress.ts';
import type { SubaddressTable } from '../keys/subaddress-table.ts';
import {
  type CarrotCoinbaseEnote,
  type CarrotEnote,
  carrotCommitmentMask,
  coinbaseExtensionOf,
  commitTo,
  contextSecret,
  cryptAnchor,
  cryptCarrotAmount,
  cryptCarrotPaymentId,
  type EnoteType,
  ephemeralPublicKey,
  ephemeralSecret,
  type Extension,
  extensionOf,
  extensionPoint,
  NO_PAYMENT_ID,
  specialAnchor,
  viewTagOf,
} from './enote.ts';

/** A Carrot output of the account. */
export interface FoundEnote {
  readonly subaddress: SubaddressIndex;
  /** Atomic units. */
  readonly amount: bigint;
  /** The mask of the commitment, a scalar of 32 bytes; 1 in a coinbase. */
  readonly mask: Uint8Array;
  readonly type: EnoteType;
  /** 8 bytes; absent where the output has none. */
  readonly paymentId?: Uint8Array | undefined;
  /** The scalars by which the one-time address differs from the spend key of the address. */
  readonly extension: Extension;
  /** Whether the view balance secret found it, as only the account itself can have made it then. */
  readonly isInternal: boolean;
  /** 16 bytes that the account left for itself; only in an internal output. */
  readonly message?: Uint8Array | undefined;
}

/** What finds the outputs of an account. */
export interface EnoteScanOptions {
  readonly account: AnyAccount;
  readonly subaddresses: SubaddressTable;
  readonly backend: CryptoBackend;
}

/** What an output tells the holder of its secret, before anything is known about who made it. */
interface OpenedEnote {
  readonly spendKey: Uint8Array;
  readonly amount: bigint;
  readonly mask: Uint8Array;
  readonly type: EnoteType;
  readonly anchor: Uint8Array;
  readonly extension: Extension;
}

/**
 * Returns what an output brings the account that shares a secret (32 bytes) with its sender, or undefined if it is not the account's or
 * was made by an attack: an output for one address of which the sender pretends that it was for another would tell that both
 * belong together (Janus). `encryptedPaymentId`, 8 bytes, is that of the transaction.
 * Source: try_scan_carrot_enote_external_receiver in src/carrot_core/scan.cpp.
 */
export function scanExternal(
  enote: CarrotEnote,
  shared: Uint8Array,
  encryptedPaymentId: Uint8Array | undefined,
  options: EnoteScanOptions,
): FoundEnote | undefined {
  const own = openOwn(enote, shared, options);
  if (own === undefined) return undefined;
  const { secret, opened, subaddress } = own;
  const { viewSecret } = options.account;
  const candidate =
    encryptedPaymentId && cryptCarrotPaymentId(encryptedPaymentId, secret, enote.onetimeAddress);
  const proven = provenPaymentId(enote, opened, candidate, subaddress, options.backend);
  if (proven === undefined && !bytesEqual(opened.anchor, specialAnchor(viewSecret, enote))) {
    return undefined;
  }
  return foundEnote(opened, subaddress, { paymentId: proven, isInternal: false });
}

/**
 * Returns what an output brings the account whose view balance secret (32 bytes) made it, or undefined.
 * Source: try_scan_carrot_enote_internal_receiver, same file.
 */
export function scanInternal(
  enote: CarrotEnote,
  viewBalanceSecret: Uint8Array,
  options: EnoteScanOptions,
): FoundEnote | undefined {
  const own = openOwn(enote, viewBalanceSecret, options);
  if (own === undefined) return undefined;
  const { opened, subaddress } = own;
  return foundEnote(opened, subaddress, { message: opened.anchor, isInternal: true });
}

/**
 * Returns what an output of a coinbase brings the account that shares a secret (32 bytes) with the miner, or undefined. A coinbase pays main
 * addresses alone. Source: try_scan_carrot_coinbase_enote_receiver, same file.
 */
export function scanCoinbase(
  enote: CarrotCoinbaseEnote,
  shared: Uint8Array,
  { account, backend }: EnoteScanOptions,
): FoundEnote | undefined {
  const secret = secretOf(enote, shared);
  if (secret === undefined) return undefined;
  const { spendKey } = account;
  const extension = coinbaseExtensionOf(secret, enote.amount, spendKey);
  const own = spendKeyOf(enote.onetimeAddress, extension, backend);
  if (own === undefined || !bytesEqual(own, spendKey)) return undefined;
  const anchor = cryptAnchor(enote.encryptedAnchor, secret, enote.onetimeAddress);
  const { amount } = enote;
  const opened = { spendKey, amount, mask: ONE, type: 'payment', anchor, extension } as const;
  const subaddress = { account: 0, index: 0 };
  const proven = provenPaymentId(enote, opened, undefined, subaddress, backend);
  return proven && foundEnote(opened, subaddress, { isInternal: false });
}

/** Returns the secret of an output, 32 bytes, if its view tag is that of the shared secret. */
function secretOf(
  {
    inputContext,
    onetimeAddress,
    viewTag,
    ephemeralPublicKey: key,
  }: CarrotEnote | CarrotCoinbaseEnote,
  shared: Uint8Array,
): Uint8Array | undefined {
  if (!bytesEqual(viewTagOf(shared, inputContext, onetimeAddress), viewTag)) return undefined;
  return contextSecret(shared, key, inputContext);
}

/** Opens an output of a transaction if it pays an address of the account. */
function openOwn(
  enote: CarrotEnote,
  shared: Uint8Array,
  { subaddresses, backend }: EnoteScanOptions,
): { secret: Uint8Array; opened: OpenedEnote; subaddress: SubaddressIndex } | undefined {
  const secret = secretOf(enote, shared);
  if (secret === undefined) return undefined;
  const opened = openEnote(enote, secret, backend);
  if (opened === undefined) return undefined;
  const subaddress = subaddresses.find(opened.spendKey);
  return subaddress && { secret, opened, subaddress };
}

/** Returns K_s^j = Ko - (g·G + t·T), 32 bytes, or undefined for a one-time address that is no point. */
function spendKeyOf(
  onetimeAddress: Uint8Array,
  { g, t }: Extension,
  backend: CryptoBackend,
): Uint8Array | undefined {
  const negated = { g: subtractScalars(ZERO, g), t: subtractScalars(ZERO, t) };
  const B = extensionPoint(negated, backend);
  return backend.addMultiples([{ a: ONE, A: onetimeAddress, b: ONE, B }])[0];
}

/** Opens an output of a transaction; undefined if its amount does not fit the commitment as a payment or as change. */
function openEnote(
  enote: CarrotEnote,
  secret: Uint8Array,
  backend: CryptoBackend,
): OpenedEnote | undefined {
  const { onetimeAddress, amountCommitment } = enote;
  const extension = extensionOf(secret, amountCommitment);
  const spendKey = spendKeyOf(onetimeAddress, extension, backend);
  if (spendKey === undefined) return undefined;
  const bytes = cryptCarrotAmount(enote.encryptedAmount, secret, onetimeAddress);
  const amount = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  for (const type of ['payment', 'change'] as const) {
    const mask = carrotCommitmentMask(secret, amount, spendKey, type);
    if (!bytesEqual(commitTo(amount, mask, backend), amountCommitment)) continue;
    const anchor = cryptAnchor(enote.encryptedAnchor, secret, onetimeAddress);
    return { spendKey, amount, mask, type, anchor, extension };
  }
  return undefined;
}

/**
 * Returns the payment id (8 bytes, zeros for none) with which a normal sender of this output must have computed its ephemeral key for the
 * address; undefined if there is none. Other payment ids of the transaction are for another output.
 * Source: verify_carrot_normal_janus_protection in src/carrot_core/scan_unsafe.cpp.
 */
function provenPaymentId(
  enote: CarrotEnote | CarrotCoinbaseEnote,
  { anchor, spendKey }: OpenedEnote,
  candidate: Uint8Array | undefined,
  { account, index }: SubaddressIndex,
  backend: CryptoBackend,
): Uint8Array | undefined {
  const isSubaddress = account !== 0 || index !== 0;
  const ids = candidate === undefined ? [NO_PAYMENT_ID] : [candidate, NO_PAYMENT_ID];
  return ids.find((paymentId) => {
    const d = ephemeralSecret(anchor, enote.inputContext, spendKey, paymentId);
    const key = ephemeralPublicKey(d, { spendKey, isSubaddress }, backend);
    return bytesEqual(key, enote.ephemeralPublicKey);
  });
}

function foundEnote(
  { amount, mask, type, extension }: OpenedEnote,
  subaddress: SubaddressIndex,
  more: Pick<FoundEnote, 'paymentId' | 'message' | 'isInternal'>,
): FoundEnote {
  const { message, isInternal } = more;
  const paymentId =
    more.paymentId && bytesEqual(more.paymentId, NO_PAYMENT_ID) ? undefined : more.paymentId;
  return { subaddress, amount, mask, type, extension, paymentId, message, isInternal };
}
