import {
  encodeTxExtra,
  type AddressKind,
  type TxExtraField,
  type TxOutput,
} from '@monero-node/codec';
import {
  createSubaddressTransactionKey,
  createTransactionKey,
  type AddressKeys,
  type TransactionKey,
} from '@monero-node/crypto';
import {
  decodeScalar,
  encodeScalar,
  keyDerivation,
  oneTimeKey,
  viewTag,
  type Opening,
} from '@monero-node/crypto/insecure-signer';
import {
  commitmentMask,
  cryptAmount,
  cryptPaymentId,
  outputScalar,
  type Account,
} from '@monero-node/wallet-primitives';

/** An output to make. */
export interface PlannedOutput extends AddressKeys {
  readonly kind: AddressKind;
  /** 8 bytes. */
  readonly paymentId?: Uint8Array | undefined;
  /** Atomic units. */
  readonly amount: bigint;
  /** Whether it returns to the main address of the sender. */
  readonly isChange: boolean;
}

/** The outputs of a transaction, in their order, and what goes with them. */
export interface MadeOutputs {
  readonly outputs: TxOutput[];
  readonly openings: readonly Opening[];
  /** The encrypted amounts, 8 bytes each. */
  readonly ecdhInfo: { amount: Uint8Array }[];
  readonly extra: Uint8Array;
  /** The secrets from which a payment can be proved, 32 bytes each: that of the transaction, then those of its outputs if there are any. */
  readonly transactionSecrets: readonly Uint8Array[];
}

/** Most outputs, change included, with which wallets write the payment id that hides whether there is one. */
const MOST_WITH_DUMMY_ID = 2;
const NO_PAYMENT_ID = new Uint8Array(8);
/** Before an encrypted payment id. Source: TX_EXTRA_NONCE_ENCRYPTED_PAYMENT_ID in src/cryptonote_basic/tx_extra.h. */
const ENCRYPTED_PAYMENT_ID = 1;

/** The keys of a transaction: one for all outputs, or one for each besides. */
interface Keys {
  readonly main: TransactionKey;
  readonly additional: readonly TransactionKey[];
}

/**
 * Returns outputs that their recipients find as those of a wallet. Throws RangeError for a payment id among several recipients, and for
 * keys that are not points. Source: construct_tx_with_tx_key in src/cryptonote_core/cryptonote_tx_utils.cpp.
 */
export function makeOutputs(planned: readonly PlannedOutput[], sender: Account): MadeOutputs {
  const keys = transactionKeysOf(planned);
  const made = planned.map((output, index) => makeOutput(output, { keys, sender, index }));
  const fields: TxExtraField[] = [{ kind: 'public-key', key: keys.main.publicKey }];
  if (keys.additional.length > 0) {
    const additional = keys.additional.map(({ publicKey }) => publicKey);
    fields.push({ kind: 'additional-public-keys', keys: additional });
  }
  const paymentId = encryptedPaymentId(planned, keys.main);
  if (paymentId !== undefined) {
    fields.push({ kind: 'nonce', nonce: Uint8Array.of(ENCRYPTED_PAYMENT_ID, ...paymentId) });
  }
  return {
    outputs: made.map(({ output }) => output),
    openings: made.map(({ opening }) => opening),
    ecdhInfo: made.map(({ encrypted }) => ({ amount: encrypted })),
    extra: encodeTxExtra(fields),
    transactionSecrets: [keys.main, ...keys.additional].map(({ secret }) => encodeScalar(secret)),
  };
}

const nameOf = ({ spendKey, viewKey }: AddressKeys): string => `${spendKey} ${viewKey}`;

/** Returns recipients without change, each address once. */
function distinctRecipients(planned: readonly PlannedOutput[]): PlannedOutput[] {
  const paid = planned.filter(({ isChange }) => !isChange);
  return [...new Map(paid.map((output) => [nameOf(output), output])).values()];
}

/** A subaddress alone is paid by a key of its own; among other recipients every output has one. */
function transactionKeysOf(planned: readonly PlannedOutput[]): Keys {
  const recipients = distinctRecipients(planned);
  const subaddresses = recipients.filter(({ kind }) => kind === 'subaddress');
  const [first] = subaddresses;
  if (first !== undefined && recipients.length === 1) {
    return { main: createSubaddressTransactionKey(first.spendKey), additional: [] };
  }
  const main = createTransactionKey();
  if (subaddresses.length === 0) return { main, additional: [] };
  const additional = planned.map(({ kind, spendKey }) =>
    kind === 'subaddress' ? createSubaddressTransactionKey(spendKey) : createTransactionKey(),
  );
  return { main, additional };
}

/** Returns 8·r·A for the recipient of an output. Change is derived from the sender's view key, as that is known. */
function derivationOf(
  { kind, viewKey, isChange }: PlannedOutput,
  { keys, sender, index }: { keys: Keys; sender: Account; index: number },
): Uint8Array {
  const own = kind === 'subaddress' ? keys.additional[index] : undefined;
  const derivation = isChange
    ? keyDerivation(keys.main.publicKey, scalarOf(sender.viewSecret))
    : keyDerivation(viewKey, (own ?? keys.main).secret);
  if (derivation === undefined) throw new RangeError('a key of an address is not a point');
  return derivation;
}

function makeOutput(
  planned: PlannedOutput,
  place: { readonly keys: Keys; readonly sender: Account; readonly index: number },
) {
  const derivation = derivationOf(planned, place);
  const { index } = place;
  const key = oneTimeKey(derivation, index, planned.spendKey);
  if (key === undefined) throw new RangeError('a key of an address is not a point');
  const shared = outputScalar(derivation, index);
  const clear = new Uint8Array(8);
  new DataView(clear.buffer).setBigUint64(0, planned.amount, true);
  const output: TxOutput = {
    amount: 0n,
    target: { kind: 'tagged-key', key, viewTag: viewTag(derivation, index) },
  };
  return {
    output,
    opening: { amount: planned.amount, mask: scalarOf(commitmentMask(shared)) },
    encrypted: cryptAmount(clear, shared),
  };
}

/**
 * Returns the encrypted payment id, 8 bytes; that of zeros hides that there is none. Undefined where wallets write none. Source:
 * construct_tx_with_tx_key and get_destination_view_key_pub in src/cryptonote_core/cryptonote_tx_utils.cpp.
 */
function encryptedPaymentId(
  planned: readonly PlannedOutput[],
  main: TransactionKey,
): Uint8Array | undefined {
  const recipients = distinctRecipients(planned);
  const ids = planned.flatMap(({ paymentId }) => (paymentId === undefined ? [] : [paymentId]));
  if (ids.length > 1 || (ids.length > 0 && recipients.length > 1))
    throw new RangeError('a transaction with a payment id pays one recipient');
  if (ids.length === 0 && (planned.length > MOST_WITH_DUMMY_ID || recipients.length > 1))
    return undefined;
  const viewKey = (recipients[0] ?? planned[0])?.viewKey;
  const derivation = viewKey && keyDerivation(viewKey, main.secret);
  return derivation && cryptPaymentId(ids[0] ?? NO_PAYMENT_ID, derivation);
}

/** Returns the number of a secret of 32 bytes. Throws RangeError unless it is below l. */
export function scalarOf(bytes: Uint8Array): bigint {
  const scalar = decodeScalar(bytes);
  if (scalar === undefined) throw new RangeError('a secret is a scalar below l');
  return scalar;
}
