import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { type Address, bytesEqual, type ParsedTransaction } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import { ProofError } from '../errors.ts';
import { ONE } from '../keys/points.ts';
import { checkCommitments, type HiddenAmount, hiddenAmount } from '../scan/amount.ts';
import { oldOutputKey } from '../scan/find-outputs.ts';
import { outputScalar } from '../scan/output-secret.ts';
import { transactionKeys } from '../scan/transaction-keys.ts';
import { isTxProof, SIGNATURE_SIZE } from './schnorr.ts';
import { proofHash, readBase58, readHeader } from './text.ts';

const HEADERS = ['OutProofV1', 'OutProofV2', 'InProofV1', 'InProofV2'] as const;
/** Characters of a key and of a signature in base58. */
const KEY_TEXT = 44;
const SIGNATURE_TEXT = 88;

/** A public key of the transaction, the secret it shares with the address, and the proof of that. */
interface SharedSecret {
  readonly publicKey: Uint8Array;
  readonly secret: Uint8Array;
  readonly signature: Uint8Array;
}

export interface PaymentProofOptions {
  /** The transaction, full or pruned; its id must be known. */
  readonly transaction: ParsedTransaction;
  /** The address that was paid. */
  readonly address: Pick<Address, 'kind' | 'spendKey' | 'viewKey'>;
  /** The text that the prover was asked to sign; empty by default. */
  readonly message?: string;
  /** `OutProofV1…`, `OutProofV2…` of the payer, `InProofV1…`, `InProofV2…` of the recipient. */
  readonly signature: string;
  readonly backend: CryptoBackend;
}

const OPTIONS: OptionTable<PaymentProofOptions> = {
  transaction: NEEDED,
  address: NEEDED,
  message: OPTIONAL,
  signature: NEEDED,
  backend: NEEDED,
};

/**
 * Returns how much a transaction pays an address, in atomic units, by a proof of its payer or recipient; undefined for a
 * false proof.
 * Throws ProofError when the text is malformed or has another number of signatures than the transaction has public keys, and
 * OptionError for a missing or an unknown option.
 * Source: check_tx_proof in src/wallet/wallet2.cpp.
 */
export function checkPaymentProof(options: PaymentProofOptions): bigint | undefined {
  checkOptions('checkPaymentProof', options, OPTIONS);
  const { transaction, address, message = '', backend } = options;
  const { header, rest } = readHeader(options.signature, HEADERS);
  const secrets = readSecrets(rest, transaction);
  if (transaction.id.every((byte) => byte === 0))
    throw new ProofError('unknown-id', 'the id is not known');
  const isOut = header.startsWith('Out');
  const common = {
    hash: proofHash(transaction.id, message),
    version: header.endsWith('V1') ? 1 : 2,
    B: address.kind === 'subaddress' ? address.spendKey : undefined,
  } as const;
  const proven = secrets.map(({ publicKey, secret: D, signature }) => {
    const [R, A] = isOut ? [publicKey, address.viewKey] : [address.viewKey, publicKey];
    return isTxProof({ ...common, R, A, D, signature }, backend) ? D : undefined;
  });
  if (proven.every((secret) => secret === undefined)) return undefined;
  const derivations = proven.map((secret) =>
    secret === undefined ? undefined : backend.keyDerivations(ONE, [secret])[0],
  );
  return receivedBy(transaction, address.spendKey, derivations, backend);
}

function readSecrets(text: string, { tx }: ParsedTransaction): SharedSecret[] {
  const { publicKeys, additionalKeys } = transactionKeys(tx);
  const [first] = publicKeys;
  if (first === undefined)
    throw new ProofError('other-transaction', 'the transaction has no public key');
  const size = KEY_TEXT + SIGNATURE_TEXT;
  const keys = [first, ...additionalKeys];
  if (text.length !== size * keys.length) {
    throw new ProofError(
      'other-transaction',
      `${keys.length} signatures expected, one for each public key`,
    );
  }
  return keys.map((publicKey, i) => {
    const middle = i * size + KEY_TEXT;
    return {
      publicKey,
      secret: readBase58(text.slice(i * size, middle), 32),
      signature: readBase58(text.slice(middle, (i + 1) * size), SIGNATURE_SIZE),
    };
  });
}

/**
 * Returns the sum of the outputs of an address, modulo 2^64 as upstream adds them. The first derivation is for all
 * outputs, the others are for one each. Source: check_tx_key_helper in src/wallet/wallet2.cpp.
 */
function receivedBy(
  { tx }: ParsedTransaction,
  spendKey: Uint8Array,
  [shared, ...additional]: readonly (Uint8Array | undefined)[],
  backend: CryptoBackend,
): bigint {
  let clear = 0n;
  const hidden: HiddenAmount[] = [];
  for (const [index, { amount, target }] of tx.outputs.entries()) {
    const key = oldOutputKey(target);
    if (key === undefined) continue;
    const viewTag = target.kind === 'tagged-key' ? target.viewTag : undefined;
    const derivation = [shared, additional[index]].find((each) => {
      if (each === undefined) return false;
      const [owner] = backend.spendKeys([{ derivation: each, index, key, viewTag }]);
      return owner !== undefined && bytesEqual(owner, spendKey);
    });
    if (derivation === undefined) continue;
    if (tx.rct === undefined || tx.rct.type === 0) clear += amount;
    const opened = tx.rct && hiddenAmount(tx.rct, index, outputScalar(derivation, index));
    if (opened !== undefined) hidden.push(opened);
  }
  const fits = checkCommitments(hidden, backend);
  return BigInt.asUintN(
    64,
    hidden.reduce((sum, { amount }, i) => (fits[i] === true ? sum + amount : sum), clear),
  );
}
