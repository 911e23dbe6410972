import { encodeTxExtra, encodeVarint, type TxTarget } from '@monero-node/codec';
import type { ForkRules } from '@monero-node/consensus';
import {
  createSubaddressTransactionKey,
  createTransactionKey,
  isCurvePoint,
  oneTimeOutput,
  type CryptoBackend,
  type TransactionKey,
} from '@monero-node/crypto';
import { encodeCarrotExtra, makeCoinbaseEnote } from '@monero-node/wallet-primitives/carrot';
import { TemplateError, type TemplateRequest } from './template-types.ts';

/** Whom a miner transaction pays, and where. */
export interface Payee extends Pick<TemplateRequest, 'address' | 'extraNonce'> {
  readonly rules: ForkRules;
  /** Of the block. */
  readonly height: number;
  readonly backend: Pick<CryptoBackend, 'addMultiples'>;
  /** Returns that many random bytes; from the system's secure source when absent. */
  readonly random?: ((size: number) => Uint8Array) | undefined;
}

/** How the outputs of one miner transaction pay its address, whatever their amounts. */
export interface MinerPayment {
  /** Public key of the transaction, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The extra bytes: the public key, then the extra nonce. */
  readonly extra: Uint8Array;
  /** Returns the output at an index that has this amount, in atomic units. Throws TemplateError; RangeError for an amount out of range. */
  target(amount: bigint, index: number): TxTarget;
}

const NONCE_TAG = 2;
const ANCHOR_SIZE = 16;

/**
 * Returns how a miner transaction pays its address, by the rules of its block: with new keys, each time others.
 *
 * Throws TemplateError when a key of the address is not a curve point, the spend key of a subaddress is the identity, or a Carrot
 * output would pay a subaddress or keys outside the prime-order subgroup; RangeError when a Carrot output gets no random bytes.
 */
export function minerPayment(payee: Payee): MinerPayment {
  return payee.rules.coinbaseTarget === 'carrot' ? carrotPayment(payee) : keyPayment(payee);
}

/** Source: construct_miner_tx in src/cryptonote_core/cryptonote_tx_utils.cpp. */
function keyPayment({ address, extraNonce, rules: { coinbaseTarget } }: Payee): MinerPayment {
  const key = transactionKey(address);
  const { publicKey } = key;
  const nonce = extraNonce.length === 0 ? new Uint8Array(0) : nonceField(extraNonce);
  return {
    publicKey,
    extra: Uint8Array.of(...encodeTxExtra([{ kind: 'public-key', key: publicKey }]), ...nonce),
    target: (_amount, index) => {
      const output = oneTimeOutput(key, address, index);
      if (output === undefined)
        throw new TemplateError('address', 'a key of the address is not a curve point');
      return coinbaseTarget === 'tagged-key'
        ? { kind: 'tagged-key', key: output.key, viewTag: output.viewTag }
        : { kind: 'key', key: output.key };
    },
  };
}

function transactionKey({ spendKey, isSubaddress }: Payee['address']): TransactionKey {
  // A key that is not a curve point is found when the outputs are made.
  if (isSubaddress !== true || !isCurvePoint(spendKey)) return createTransactionKey();
  try {
    return createSubaddressTransactionKey(spendKey);
  } catch (error) {
    throw asTemplateError(error, 'the spend key of the subaddress is the identity');
  }
}

/**
 * A Carrot coinbase has a single output here. Its ephemeral key does not depend on the amount, so that it stays the same while the
 * size of the transaction is sought. The extra nonce is there even when it is empty.
 *
 * Source: make_single_enote_carrot_coinbase_transaction_v1 in src/carrot_impl/format_utils.cpp, construct_miner_tx.
 */
function carrotPayment({ address, extraNonce, height, backend, random }: Payee): MinerPayment {
  if (address.isSubaddress === true)
    throw new TemplateError('address', 'from version 17 on, a block cannot pay a subaddress');
  const anchor = random?.(ANCHOR_SIZE) ?? crypto.getRandomValues(new Uint8Array(ANCHOR_SIZE));
  const { spendKey, viewKey } = address;
  const destination = { kind: 'standard', spendKey, viewKey } as const;
  if (anchor.length !== ANCHOR_SIZE || anchor.every((byte) => byte === 0))
    throw new RangeError(`random bytes for an anchor: ${ANCHOR_SIZE}, and not all zero`);
  const enoteOf = (amount: bigint) =>
    makeCoinbaseEnote({ destination, amount, anchor }, height, backend);
  const { ephemeralPublicKey: publicKey } = firstEnote(() => enoteOf(0n));
  return {
    publicKey,
    extra: Uint8Array.of(...encodeCarrotExtra([publicKey]), ...nonceField(extraNonce)),
    target: (amount) => {
      const { onetimeAddress, viewTag, encryptedAnchor } = enoteOf(amount);
      return {
        kind: 'carrot',
        key: onetimeAddress,
        viewTag,
        encryptedJanusAnchor: encryptedAnchor,
      };
    },
  };
}

/** Returns an output of a fitting amount and anchor: what is out of range then is a key. Throws TemplateError. */
function firstEnote<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw asTemplateError(error, 'a key of the address is not a point of the subgroup');
  }
}

function nonceField(nonce: Uint8Array): Uint8Array {
  return Uint8Array.of(NONCE_TAG, ...encodeVarint(nonce.length), ...nonce);
}

/** The error of a template for an address that cannot be paid; other errors are returned as they are. */
function asTemplateError(error: unknown, message: string): unknown {
  if (!(error instanceof RangeError)) return error;
  return new TemplateError('address', message, { cause: error });
}
