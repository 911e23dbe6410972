// Checks a proof of payment: that a transaction paid an address, and how much, as its payer shows with `get_tx_proof` of a wallet.
// The proof and the transaction are those that monero-wallet-rpc made for a test.
import { readFileSync } from 'node:fs';
import { fromHex, parseAddress, parsePrunedTransaction, toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { checkPaymentProof } from '@monero-node/wallet-primitives';

const file = new URL('../packages/wallet-primitives/fixtures/wallet.json', import.meta.url);
const { proofs, transactions } = JSON.parse(readFileSync(file, 'utf8'));
const { base, prunableHash } = transactions.find(({ id }) => id === proofs.txid);
// A program asks a node for it: /get_transactions with { prune: true } of the RPC client. A proof needs no signatures.
const transaction = parsePrunedTransaction(fromHex(base), fromHex(prunableHash));
const backend = createBackend();

/** Returns what a proof shows, in atomic units; undefined when it shows nothing. */
const amountOf = (address, message, signature) =>
  checkPaymentProof({ transaction, address: parseAddress(address), message, signature, backend });

const paid = amountOf(proofs.main, proofs.message, proofs.outMain);
console.log(`${toHex(transaction.id)} paid ${Number(paid) / 1e12} XMR to ${proofs.main}`);
// The message is what the recipient asked for: without it, anybody could show the proof of somebody else.
const copied = amountOf(proofs.main, 'for another shop', proofs.outMain);
console.log(`for another message the proof shows ${copied ?? 'nothing'}`);
if (paid === undefined || copied !== undefined) throw new Error('wrong verdict');
