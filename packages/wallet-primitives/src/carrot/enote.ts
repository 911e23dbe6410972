import { assertBytes, concatBytes } from '@monero-node/codec/bytes';
import { multiplyMontgomery, publicKeyOf, toMontgomery } from '@monero-node/crypto';
import { carrotHash, carrotScalar, xorBytes } from '../keys/carrot-hashes.ts';
import { G_BYTES, H, type PointAdder, sumOf, T_BYTES, ZERO } from '../keys/points.ts';

/** What every Carrot output has on the chain. */
interface EnoteParts {
  /** Ko, the output's key, 32 bytes. */
  readonly onetimeAddress: Uint8Array;
  /** 3 bytes. */
  readonly viewTag: Uint8Array;
  /** 16 bytes. */
  readonly encryptedAnchor: Uint8Array;
  /** D_e, a u coordinate of Curve25519, 32 bytes: in the extra, one for all outputs or one for each. */
  readonly ephemeralPublicKey: Uint8Array;
  /** What ties the output to its transaction, 33 bytes: {@link inputContext} or {@link coinbaseInputContext}. */
  readonly inputContext: Uint8Array;
}

/** An output of a transaction, as the chain has it. */
export interface CarrotEnote extends EnoteParts {
  /** C_a, 32 bytes. */
  readonly amountCommitment: Uint8Array;
  /** 8 bytes. */
  readonly encryptedAmount: Uint8Array;
}

/** An output of a coinbase transaction, as the chain has it. */
export interface CarrotCoinbaseEnote extends EnoteParts {
  /** Atomic units, in clear. */
  readonly amount: bigint;
}

/** What an output is for: a payment, or change. A payment to oneself is a payment too. */
export type EnoteType = 'payment' | 'change';

/** The bytes of an enote, each a field and its length. */
export const ENOTE_SIZES = {
  onetimeAddress: 32,
  viewTag: 3,
  encryptedAnchor: 16,
  ephemeralPublicKey: 32,
  inputContext: 33,
} as const;

const ENOTE_TYPES: Readonly<Record<EnoteType, number>> = { payment: 0, change: 1 };

/** The payment id that stands for none, 8 bytes. */
export const NO_PAYMENT_ID = new Uint8Array(8);

/**
 * Returns the context of the outputs of a transaction, 33 bytes, for its first key image, 32 bytes.
 * Throws RangeError for another size, and TypeError for anything but bytes.
 * Source: make_carrot_input_context in src/carrot_core/enote_utils.cpp.
 */
export function inputContext(firstKeyImage: Uint8Array): Uint8Array {
  assertBytes(firstKeyImage, 'firstKeyImage', 32);
  return concatBytes(Uint8Array.of(0x52), firstKeyImage);
}

/**
 * Returns the context of the outputs of a coinbase, 33 bytes, for the height of its block.
 * Throws RangeError for a height that is not a whole number. Source: make_carrot_input_context_coinbase, same file.
 */
export function coinbaseInputContext(height: number): Uint8Array {
  if (!Number.isSafeInteger(height) || height < 0)
    throw new RangeError('a height is a whole number');
  const context = new Uint8Array(33);
  context[0] = 0x43;
  new DataView(context.buffer).setBigUint64(1, BigInt(height), true);
  return context;
}

/** Returns an amount as 8 bytes, little-endian. Throws RangeError outside 0 to 2^64 - 1. */
export function amountBytes(amount: bigint): Uint8Array {
  if (amount < 0n || amount >> 64n !== 0n) throw new RangeError('an amount is below 2^64');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, amount, true);
  return bytes;
}

/**
 * Returns d_e, a scalar of 32 bytes: the sender's secret of a normal output. Whoever knows the anchor (16 bytes) can compute it again
 * for an address and a payment id (8 bytes), and so see that the output was made for that address.
 * Source: make_carrot_enote_ephemeral_privkey, same file.
 */
export function ephemeralSecret(
  anchor: Uint8Array,
  context: Uint8Array,
  spendKey: Uint8Array,
  paymentId: Uint8Array,
): Uint8Array {
  return carrotScalar(undefined, 'ephemeralSecret', anchor, context, spendKey, paymentId);
}

/**
 * Returns D_e, 32 bytes, of the sender's secret: d_e·B for a main address, d_e·K_s^j for a subaddress with that spend key, both as u coordinates.
 * Throws RangeError for a key that is no point. Source: make_carrot_enote_ephemeral_pubkey, same file.
 */
export function ephemeralPublicKey(
  secret: Uint8Array,
  { spendKey, isSubaddress }: { readonly spendKey: Uint8Array; readonly isSubaddress: boolean },
  backend: PointAdder,
): Uint8Array {
  const product = isSubaddress
    ? sumOf({ a: secret, A: spendKey, b: ZERO, B: G_BYTES }, backend)
    : publicKeyOf(secret);
  return toMontgomery(product) as Uint8Array;
}

/** Returns s_sr = secret·D, 32 bytes: k_v·D_e for the recipient, d_e·K_v^j for the sender. */
export function sharedSecret(secret: Uint8Array, u: Uint8Array): Uint8Array {
  return multiplyMontgomery(secret, u);
}

/** Returns the view tag, 3 bytes, of a shared secret, 32 bytes; that of an internal output is the view balance secret. */
export function viewTagOf(
  secret: Uint8Array,
  context: Uint8Array,
  onetimeAddress: Uint8Array,
): Uint8Array {
  return carrotHash(3, secret, 'viewTag', context, onetimeAddress);
}

/** Returns s_ctx, 32 bytes: the secret from which everything else of an output follows. */
export function contextSecret(
  secret: Uint8Array,
  ephemeral: Uint8Array,
  context: Uint8Array,
): Uint8Array {
  return carrotHash(32, secret, 'senderReceiverSecret', ephemeral, context);
}

/** The scalars, 32 bytes each, by which a one-time address differs from the spend key: g·G + t·T. */
export interface Extension {
  readonly g: Uint8Array;
  readonly t: Uint8Array;
}

/** Returns the extension of an output of a transaction, for its secret and its commitment, 32 bytes each. Source: make_carrot_sender_extension_g, same file. */
export function extensionOf(secret: Uint8Array, commitment: Uint8Array): Extension {
  return {
    g: carrotScalar(secret, 'extensionG', commitment),
    t: carrotScalar(secret, 'extensionT', commitment),
  };
}

/**
 * Returns the extension of an output of a coinbase, for its secret (32 bytes), its amount in atomic units and the spend key of the main
 * address (32 bytes). Source: make_carrot_sender_extension_g_coinbase, same file.
 */
export function coinbaseExtensionOf(
  secret: Uint8Array,
  amount: bigint,
  spendKey: Uint8Array,
): Extension {
  const bytes = amountBytes(amount);
  return {
    g: carrotScalar(secret, 'coinbaseExtensionG', bytes, spendKey),
    t: carrotScalar(secret, 'coinbaseExtensionT', bytes, spendKey),
  };
}

/** Returns k_a, a scalar of 32 bytes: the mask of the commitment. Source: make_carrot_amount_blinding_factor, same file. */
export function carrotCommitmentMask(
  secret: Uint8Array,
  amount: bigint,
  spendKey: Uint8Array,
  type: EnoteType,
): Uint8Array {
  const kind = Uint8Array.of(ENOTE_TYPES[type]);
  return carrotScalar(secret, 'commitmentMask', amountBytes(amount), spendKey, kind);
}

/** Returns mask·G + amount·H, 32 bytes. Throws RangeError for an amount or a mask that is out of range. */
export function commitTo(amount: bigint, mask: Uint8Array, backend: PointAdder): Uint8Array {
  const b = new Uint8Array(32);
  b.set(amountBytes(amount));
  return sumOf({ a: mask, A: G_BYTES, b, B: H }, backend);
}

/** Returns g·G + t·T, 32 bytes. */
export function extensionPoint({ g, t }: Extension, backend: PointAdder): Uint8Array {
  return sumOf({ a: g, A: G_BYTES, b: t, B: T_BYTES }, backend);
}

/** Returns an anchor, 16 bytes, encrypted or decrypted. Source: encrypt_carrot_anchor, same file. */
export function cryptAnchor(
  anchor: Uint8Array,
  secret: Uint8Array,
  onetimeAddress: Uint8Array,
): Uint8Array {
  return xorBytes(anchor, carrotHash(16, secret, 'anchorMask', onetimeAddress));
}

/** Returns an amount, 8 bytes, encrypted or decrypted. Source: encrypt_carrot_amount, same file. */
export function cryptCarrotAmount(
  amount: Uint8Array,
  secret: Uint8Array,
  onetimeAddress: Uint8Array,
): Uint8Array {
  return xorBytes(amount, carrotHash(8, secret, 'amountMask', onetimeAddress));
}

/** Returns a payment id, 8 bytes, encrypted or decrypted. Source: encrypt_legacy_payment_id, same file. */
export function cryptCarrotPaymentId(
  paymentId: Uint8Array,
  secret: Uint8Array,
  onetimeAddress: Uint8Array,
): Uint8Array {
  return xorBytes(paymentId, carrotHash(8, secret, 'paymentIdMask', onetimeAddress));
}

/**
 * Returns the anchor, 16 bytes, of an output that an account pays itself and finds by its view secret: nobody else can make it.
 * Source: make_carrot_janus_anchor_special, same file.
 */
export function specialAnchor(
  viewSecret: Uint8Array,
  {
    ephemeralPublicKey: ephemeral,
    inputContext: context,
    onetimeAddress,
  }: Pick<EnoteParts, 'ephemeralPublicKey' | 'inputContext' | 'onetimeAddress'>,
): Uint8Array {
  return carrotHash(16, viewSecret, 'specialAnchor', ephemeral, context, onetimeAddress);
}
