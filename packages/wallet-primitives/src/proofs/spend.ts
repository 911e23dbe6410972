import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { ParsedTransaction } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import { ProofError } from '../errors.ts';
import { SIGNATURE_SIZE } from './schnorr.ts';
import { proofHash, readBase58, readHeader } from './text.ts';

/** Characters of a signature in base58. */
const SIGNATURE_TEXT = 88;

/** What {@link checkSpendProof} checks. */
export interface SpendProofOptions {
  /** Its id must be known. */
  readonly transaction: ParsedTransaction;
  /** For each input the one-time keys of its ring members, 32 bytes each, in the order of the ring. */
  readonly rings: readonly (readonly Uint8Array[])[];
  /** The text that the prover was asked to sign; empty by default. */
  readonly message?: string;
  /** `SpendProofV1…`. */
  readonly signature: string;
  readonly backend: CryptoBackend;
}

const OPTIONS: OptionTable<SpendProofOptions> = {
  transaction: NEEDED,
  rings: NEEDED,
  message: OPTIONAL,
  signature: NEEDED,
  backend: NEEDED,
};

/**
 * Returns whether a `SpendProofV1…` was made by the owner of the outputs that a transaction spends.
 *
 * Throws ProofError when the text is malformed, or the rings are not those of the transaction's inputs, and OptionError for a
 * missing or an unknown option.
 * Source: check_spend_proof in src/wallet/wallet2.cpp.
 */
export function checkSpendProof(options: SpendProofOptions): boolean {
  checkOptions('checkSpendProof', options, OPTIONS);
  const { transaction, rings, message = '', signature, backend } = options;
  const { rest } = readHeader(signature, ['SpendProofV1']);
  if (transaction.id.every((byte) => byte === 0))
    throw new ProofError('unknown-id', 'the id is not known');
  const inputs = transaction.tx.inputs.flatMap((input) => (input.kind === 'key' ? [input] : []));
  // Without inputs there is nothing to sign, and anyone could write the proof. wallet2 accepts it.
  if (inputs.length === 0)
    throw new ProofError('other-transaction', 'the transaction spends no outputs');
  const fits = inputs.every(({ keyOffsets }, i) => rings[i]?.length === keyOffsets.length);
  if (!fits || rings.length !== inputs.length) {
    throw new ProofError('other-transaction', 'the rings are not those of the transaction');
  }
  const members = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (rest.length !== members * SIGNATURE_TEXT) return false;
  const hash = proofHash(transaction.id, message);
  let next = 0;
  const proofs = inputs.map(({ keyImage }, i) => {
    const ring = rings[i] as readonly Uint8Array[];
    const signatures = ring.map(() => {
      const at = SIGNATURE_TEXT * next++;
      return readBase58(rest.slice(at, at + SIGNATURE_TEXT), SIGNATURE_SIZE);
    });
    return { message: hash, keyImage, ring, signatures };
  });
  return backend.verifyRingSignature(proofs).every((good) => good);
}
