import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import {
  type Address,
  ByteReader,
  bytesEqual,
  concatBytes,
  DecodeError,
  type ParsedTransaction,
  toHex,
} from '@monero-node/codec';
import { type CryptoBackend, keccak256 } from '@monero-node/crypto';
import { ProofError } from '../errors.ts';
import { ONE } from '../keys/points.ts';
import { checkCommitments, hiddenAmount } from '../scan/amount.ts';
import { oldOutputKey } from '../scan/find-outputs.ts';
import { outputScalar } from '../scan/output-secret.ts';
import { transactionKeys } from '../scan/transaction-keys.ts';
import { isSignature, isTxProof, SIGNATURE_SIZE } from './schnorr.ts';
import { readBase58, readHeader } from './text.ts';

/** An output that a proof of reserve is about. Hashes and keys have 32 bytes, signatures 64. */
export interface ReserveEntry {
  readonly txId: Uint8Array;
  /** Position of the output in the transaction. */
  readonly index: number;
  readonly sharedSecret: Uint8Array;
  readonly keyImage: Uint8Array;
  readonly sharedSecretSignature: Uint8Array;
  readonly keyImageSignature: Uint8Array;
}

/** A proof of reserve as read, not checked. */
export interface ReserveProof {
  readonly version: 1 | 2;
  readonly entries: readonly ReserveEntry[];
  /** The spend keys of the addresses that hold the outputs, with a signature each. */
  readonly spendKeys: readonly { readonly key: Uint8Array; readonly signature: Uint8Array }[];
}

/** Bytes of an entry: a version, an id, an index, two points and two signatures. */
const SMALLEST_ENTRY = 2 + 3 * 32 + 2 * SIGNATURE_SIZE;
/** Bytes of a pair: the number of its parts, a point and a signature. */
const PAIR_SIZE = 1 + 32 + SIGNATURE_SIZE;

/**
 * Returns what a `ReserveProofV1…` or `ReserveProofV2…` holds, so that the transactions can be fetched.
 * Throws ProofError when it is malformed, names an output or a key image twice, or is in the form of wallets before 0.17.
 * Source: check_reserve_proof in src/wallet/wallet2.cpp, reserve_proof_entry in src/wallet/wallet2.h.
 */
export function readReserveProof(text: string): ReserveProof {
  const { header, rest } = readHeader(text, ['ReserveProofV1', 'ReserveProofV2']);
  const proof = { version: header.endsWith('1') ? 1 : 2, ...readBody(readBase58(rest)) } as const;
  const images = new Set(proof.entries.map(({ keyImage }) => toHex(keyImage)));
  const places = new Set(proof.entries.map(({ txId, index }) => `${toHex(txId)} ${index}`));
  if (images.size < proof.entries.length || places.size < proof.entries.length) {
    throw new ProofError('duplicate', 'an output or a key image is in the proof twice');
  }
  return proof;
}

function readBody(bytes: Uint8Array): Omit<ReserveProof, 'version'> {
  const reader = new ByteReader(bytes);
  try {
    const entries = Array.from({ length: reader.count(SMALLEST_ENTRY) }, () => readEntry(reader));
    const spendKeys = Array.from({ length: reader.count(PAIR_SIZE) }, () => {
      if (reader.u8() !== 2) throw new DecodeError('a pair has two parts', reader.offset);
      return { key: reader.bytes(32), signature: reader.bytes(SIGNATURE_SIZE) };
    });
    reader.end();
    return { entries, spendKeys };
  } catch (error) {
    if (error instanceof DecodeError)
      throw new ProofError('format', error.message, { cause: error });
    throw error;
  }
}

function readEntry(reader: ByteReader): ReserveEntry {
  if (reader.varintNumber() !== 0) throw new DecodeError('unknown version', reader.offset);
  return {
    txId: reader.bytes(32),
    index: reader.varintNumber(),
    sharedSecret: reader.bytes(32),
    keyImage: reader.bytes(32),
    sharedSecretSignature: reader.bytes(SIGNATURE_SIZE),
    keyImageSignature: reader.bytes(SIGNATURE_SIZE),
  };
}

export interface ReserveProofOptions {
  readonly proof: ReserveProof;
  /** The main address of the account. */
  readonly address: Pick<Address, 'kind' | 'spendKey' | 'viewKey'>;
  /** The text that the prover was asked to sign; empty by default. */
  readonly message?: string;
  /** Returns a confirmed transaction by its id, full or pruned. */
  readonly transactionOf: (txId: Uint8Array) => ParsedTransaction | undefined;
  /** Returns whether the chain or the pool spends a key image. */
  readonly isSpent: (keyImage: Uint8Array) => boolean;
  readonly backend: CryptoBackend;
}

const OPTIONS: OptionTable<ReserveProofOptions> = {
  proof: NEEDED,
  address: NEEDED,
  message: OPTIONAL,
  transactionOf: NEEDED,
  isSpent: NEEDED,
  backend: NEEDED,
};

/** The amounts that an account holds, in atomic units. */
export interface Reserve {
  readonly total: bigint;
  /** The part of the total that is spent by now. */
  readonly spent: bigint;
}

/**
 * Returns what a proof of reserve proves, or undefined for a false one.
 * Throws ProofError when the proof does not fit the address or the transactions, or one of them is missing, and OptionError for a
 * missing or an unknown option.
 * Source: check_reserve_proof in src/wallet/wallet2.cpp.
 */
export function checkReserveProof(options: ReserveProofOptions): Reserve | undefined {
  checkOptions('checkReserveProof', options, OPTIONS);
  const { proof, address, message = '', backend } = options;
  if (address.kind === 'subaddress')
    throw new ProofError('other-address', 'a main address expected');
  const owners = new Set(proof.spendKeys.map(({ key }) => toHex(key)));
  if (!owners.has(toHex(address.spendKey)))
    throw new ProofError('other-address', 'the address is not in the proof');
  const hash = keccak256(
    concatBytes(
      ...[new TextEncoder().encode(message), address.spendKey, address.viewKey],
      ...proof.entries.map(({ keyImage }) => keyImage),
    ),
  );
  let [total, spent] = [0n, 0n];
  for (const entry of proof.entries) {
    const amount = amountOf(entry, { ...options, hash, owners });
    if (amount === undefined) return undefined;
    total += amount;
    if (options.isSpent(entry.keyImage)) spent += amount;
  }
  const good = proof.spendKeys.every((each) => isSignature({ ...each, hash }, backend));
  return good ? { total, spent } : undefined;
}

/** Returns the amount of an output, 0 if it cannot be decoded; undefined for a false proof. */
function amountOf(
  entry: ReserveEntry,
  options: ReserveProofOptions & { readonly hash: Uint8Array; readonly owners: Set<string> },
): bigint | undefined {
  const { address, hash, owners, proof, backend } = options;
  const transaction = options.transactionOf(entry.txId);
  if (transaction === undefined || !bytesEqual(transaction.id, entry.txId)) {
    throw new ProofError('missing-transaction', `transaction ${toHex(entry.txId)} is missing`);
  }
  const output = transaction.tx.outputs[entry.index];
  const key = output && oldOutputKey(output.target);
  if (output === undefined || key === undefined)
    throw new ProofError('other-transaction', 'there is no such output');
  if (
    !isSharedSecret(entry, transaction, {
      R: address.viewKey,
      hash,
      version: proof.version,
      backend,
    })
  ) {
    return undefined;
  }
  const { keyImage, keyImageSignature, index, sharedSecret } = entry;
  // Upstream does not check this: an image with torsion would never be found spent.
  if (!backend.isValidKeyImage(keyImage)) return undefined;
  const ring = { message: hash, keyImage, ring: [key], signatures: [keyImageSignature] };
  if (backend.verifyRingSignature([ring])[0] !== true) return undefined;
  const [derivation] = backend.keyDerivations(ONE, [sharedSecret]);
  const [owner] = derivation === undefined ? [] : backend.spendKeys([{ derivation, index, key }]);
  if (derivation === undefined || owner === undefined || !owners.has(toHex(owner))) {
    throw new ProofError('other-address', 'the address did not receive the output');
  }
  const { rct } = transaction.tx;
  if (output.amount !== 0n || rct === undefined) return output.amount;
  const hidden = hiddenAmount(rct, index, outputScalar(derivation, index));
  return hidden !== undefined && checkCommitments([hidden], backend)[0] === true
    ? hidden.amount
    : 0n;
}

/** Returns whether the shared secret is that of the transaction's public key or of the output's own. */
function isSharedSecret(
  { index, sharedSecret: D, sharedSecretSignature: signature }: ReserveEntry,
  { tx }: ParsedTransaction,
  {
    backend,
    ...common
  }: { R: Uint8Array; hash: Uint8Array; version: 1 | 2; backend: CryptoBackend },
): boolean {
  const { publicKeys, additionalKeys } = transactionKeys(tx);
  const [first] = publicKeys;
  if (first === undefined)
    throw new ProofError('other-transaction', 'the transaction has no public key');
  const own = additionalKeys.length === tx.outputs.length ? additionalKeys[index] : undefined;
  return [first, own].some(
    (A) => A !== undefined && isTxProof({ ...common, A, D, signature }, backend),
  );
}
