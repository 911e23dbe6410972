import { fromHex, parseAddress, type ParsedTransaction, toHex } from '@monero-node/codec';
import { unlessRefused } from '@monero-node/codec/testing';
import { createWasmBackend } from '@monero-node/crypto';
import { ProofError } from '../errors.ts';
import { recordedWallet } from '../testing/fixtures.ts';
import { checkMessageSignature } from './message.ts';
import { checkPaymentProof } from './payment.ts';
import { checkReserveProof, readReserveProof } from './reserve.ts';
import { checkSpendProof } from './spend.ts';

const backend = createWasmBackend();
const { proofs, transactions } = recordedWallet();
const transaction = transactions.find(({ id }) => toHex(id) === proofs.txid);
if (transaction === undefined) throw new Error('the payment is not recorded');
const rings = proofs.rings.map((ring) => ring.map((key) => fromHex(key)));
const address = parseAddress(proofs.main);
const { message } = proofs;
/** Atomic units that the recorded payment pays the main address. */
const PAID = 1_000_000_000_000n;
const genuine = new Set<string>([
  ...[proofs.outMain, proofs.inMain, proofs.spend, proofs.reserve],
  ...[proofs.messageSpend, proofs.messageView],
]);

export const maxLength = 6000;
export const seeds = [...genuine, proofs.outSubaddress, proofs.inSubaddress].map((text) =>
  new TextEncoder().encode(text),
);
export const tokens = [
  ...['OutProofV1', 'OutProofV2', 'InProofV1', 'InProofV2', 'SpendProofV1', 'SigV1', 'SigV2'],
  ...['ReserveProofV1', 'ReserveProofV2', '1'.repeat(44), '1'.repeat(88)],
];

/**
 * No changed text passes for a proof, and texts are refused with ProofError only. A payment that is proven by one of its
 * signatures may have others that are false, so that a changed text can pass; it then proves no other amount.
 */
export function fuzz(input: Uint8Array): void {
  const signature = Buffer.from(input).toString('latin1');
  const common = { transaction: transaction as ParsedTransaction, message, backend };
  const paid = unlessRefused(
    () => checkPaymentProof({ ...common, address, signature }),
    ProofError,
  );
  if (paid !== undefined && paid !== 0n && paid !== PAID) throw new Error('another amount');
  const passes =
    unlessRefused(() => checkSpendProof({ ...common, rings, signature }), ProofError) === true ||
    unlessRefused(
      () => checkMessageSignature({ message, backend, address, signature }),
      ProofError,
    ) ||
    unlessRefused(() => checkReserve(signature), ProofError);
  if (passes && !genuine.has(signature)) throw new Error('a text that nobody signed passes');
}

function checkReserve(text: string) {
  return checkReserveProof({
    proof: readReserveProof(text),
    address,
    message,
    backend,
    transactionOf: (txId) => transactions.find(({ id }) => toHex(id) === toHex(txId)),
    isSpent: () => false,
  });
}
