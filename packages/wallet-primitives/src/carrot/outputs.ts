import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { compareBytes } from '@monero-node/codec';
import { type CryptoBackend, reduceToScalar } from '@monero-node/crypto';
import { randomBytes } from '@noble/hashes/utils.js';
import type { AnyAccount } from '../keys/carrot-account.ts';
import { subaddressSpendKeys } from '../keys/subaddress.ts';
import { ephemeralPublicKey, inputContext, NO_PAYMENT_ID } from './enote.ts';
import { encodeCarrotExtra } from './extra.ts';
import {
  type CarrotPayment,
  type CarrotSelfSend,
  ephemeralKeys,
  type MadeEnote,
  type MadePayment,
  makePayment,
  makeSelfSend,
} from './make-enote.ts';

/** Options of {@link makeCarrotOutputs}. */
export interface CarrotOutputsOptions {
  /** At most one of them to an integrated address, and no anchor twice. */
  readonly payments: readonly CarrotPayment[];
  /** At least one. If there are two outputs in all and both are these, one of them is of type `payment` and the other of type `change`. */
  readonly selfSends: readonly CarrotSelfSend[];
  /** The sender; without its view balance secret it pays itself outputs that its view secret finds. */
  readonly account: AnyAccount;
  /** The first key image of the transaction, 32 bytes. */
  readonly firstKeyImage: Uint8Array;
  readonly backend: CryptoBackend;
  /** Returns that many random bytes; by default from the system's secure source. */
  readonly random?: (size: number) => Uint8Array;
}

/** The outputs of a transaction. */
export interface MadeOutputs {
  /** 2 to 16 outputs, in the order of their one-time addresses, as the chain demands it. */
  readonly outputs: readonly MadeEnote[];
  /** The extra bytes: ephemeral keys and encrypted payment id. */
  readonly extra: Uint8Array;
}

const OPTIONS: OptionTable<CarrotOutputsOptions> = {
  payments: NEEDED,
  selfSends: NEEDED,
  account: NEEDED,
  firstKeyImage: NEEDED,
  backend: NEEDED,
  random: OPTIONAL,
};

const MIN_OUTPUTS = 2;
const MAX_OUTPUTS = 16;

/**
 * Returns the outputs of a transaction: payments, and at least one output that the sender pays itself, such as change. Two outputs share
 * their ephemeral key, more have one each. Amounts are not added up, as the inputs are not known here.
 *
 * Throws RangeError for too few or too many outputs, two integrated addresses, an anchor that is used twice, two outputs to oneself of
 * one type that share their key, and as {@link makePayment} does; OptionError for an unknown option.
 * Source: get_output_enote_proposals in src/carrot_core/output_set_finalization.cpp.
 */
export function makeCarrotOutputs(options: CarrotOutputsOptions): MadeOutputs {
  checkOptions('makeCarrotOutputs', options, OPTIONS);
  const { payments, selfSends, account, backend, random = randomBytes } = options;
  checkSet(payments, selfSends);
  const context = inputContext(options.firstKeyImage);
  const paid = payments.map((payment) => makePayment(payment, context, backend));
  const shared = sharedKey(options, context, random);
  const own = selfSends.map((selfSend) => {
    const key = shared ?? randomKey(selfSend, options, random);
    return makeSelfSend(selfSend, key, context, { account, backend });
  });
  const outputs = [...paid, ...own].sort((a, b) =>
    compareBytes(a.enote.onetimeAddress, b.enote.onetimeAddress),
  );
  const keys = outputs.map(({ enote }) => enote.ephemeralPublicKey);
  const paymentId = encryptedPaymentId(payments, paid) ?? random(NO_PAYMENT_ID.length);
  return {
    outputs: outputs.map(({ enote, amount, mask }) => ({ enote, amount, mask })),
    extra: encodeCarrotExtra(keys, paymentId),
  };
}

function checkSet(payments: readonly CarrotPayment[], selfSends: readonly CarrotSelfSend[]): void {
  const count = payments.length + selfSends.length;
  if (count < MIN_OUTPUTS || count > MAX_OUTPUTS) {
    throw new RangeError('a transaction has 2 to 16 outputs');
  }
  if (selfSends.length === 0) {
    throw new RangeError('at least one output goes to the sender, if only of amount 0');
  }
  if (payments.filter(({ destination }) => destination.paymentId !== undefined).length > 1) {
    throw new RangeError('a transaction has one payment id: pay one integrated address at most');
  }
  if (new Set(payments.map(({ anchor }) => anchor.join())).size < payments.length) {
    throw new RangeError('an anchor is used once');
  }
  const [first, second] = selfSends;
  if (count === MIN_OUTPUTS && second !== undefined && first?.type === second.type) {
    throw new RangeError('of two outputs to oneself one is a payment and the other change');
  }
}

/** Returns the ephemeral key that two outputs share, 32 bytes; undefined where each has its own. */
function sharedKey(
  options: CarrotOutputsOptions,
  context: Uint8Array,
  random: (size: number) => Uint8Array,
): Uint8Array | undefined {
  const { payments, selfSends, backend } = options;
  if (payments.length + selfSends.length !== MIN_OUTPUTS) return undefined;
  const [payment] = payments;
  if (payment !== undefined) return ephemeralKeys(payment, context, backend).publicKey;
  // The address of the payment, so that it can be proven.
  const base = selfSends.find(({ type }) => type === 'payment') as CarrotSelfSend;
  return randomKey(base, options, random);
}

/** Returns a random ephemeral key for an output to oneself, 32 bytes. */
function randomKey(
  { at = { account: 0, index: 0 } }: CarrotSelfSend,
  { account, backend }: CarrotOutputsOptions,
  random: (size: number) => Uint8Array,
): Uint8Array {
  const [spendKey] = subaddressSpendKeys(account, [at], backend) as [Uint8Array];
  const isSubaddress = at.account !== 0 || at.index !== 0;
  return ephemeralPublicKey(reduceToScalar(random(64)), { spendKey, isSubaddress }, backend);
}

function encryptedPaymentId(
  payments: readonly CarrotPayment[],
  paid: readonly MadePayment[],
): Uint8Array | undefined {
  const integrated = payments.findIndex(({ destination }) => destination.paymentId !== undefined);
  return paid[integrated]?.encryptedPaymentId;
}
