import { readFileSync } from 'node:fs';
import {
  encodeBlock,
  fromHex,
  type ParsedTransaction,
  parsePrunedTransaction,
} from '@monero-node/codec';
import type { ScannableBlock } from '../scan/scan-source.ts';

/** A wallet that monero-wallet-rpc made; keys in hex. */
export interface RecordedSeed {
  readonly language: string;
  /** The name of the language in itself. */
  readonly name: string;
  readonly words: string;
  readonly secret: string;
  readonly viewSecret: string;
  readonly address: string;
}

/** An output as monero-wallet-rpc reports it. */
export interface RecordedOutput {
  readonly txId: string;
  readonly key: string;
  readonly amount: string;
  readonly subaddress: { readonly major: number; readonly minor: number };
  readonly keyImage: string;
}

/** A payment with two recipients that belong to one wallet, and proofs of it. */
export interface RecordedProofs {
  readonly txid: string;
  readonly message: string;
  readonly words: string;
  readonly main: string;
  readonly subaddress: string;
  readonly integrated: string;
  readonly outputs: readonly RecordedOutput[];
  readonly outMain: string;
  readonly outSubaddress: string;
  readonly inMain: string;
  readonly inSubaddress: string;
  readonly spend: string;
  readonly reserve: string;
  readonly messageSpend: string;
  readonly messageView: string;
  readonly messageSubaddress: string;
  readonly rings: readonly (readonly string[])[];
}

interface RecordedFile {
  readonly words: string;
  readonly transactions: readonly {
    readonly id: string;
    readonly base: string;
    readonly prunableHash: string;
    readonly height: number;
  }[];
  readonly outputs: readonly RecordedOutput[];
  readonly proofs: RecordedProofs;
}

function read(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
}

/** Returns the recorded wallets in a language, by its English name. */
export function recordedSeeds(language: string): RecordedSeed[] {
  const all = JSON.parse(read('seeds.json')) as RecordedSeed[];
  return all.filter((seed) => seed.language === language);
}

/** Returns the recorded transactions, the outputs that a wallet has in them, and proofs. */
export function recordedWallet(): Omit<RecordedFile, 'transactions'> & {
  readonly transactions: readonly ParsedTransaction[];
} {
  const file = JSON.parse(read('wallet.json')) as RecordedFile;
  const transactions = file.transactions.map(({ base, prunableHash }) =>
    parsePrunedTransaction(fromHex(base), fromHex(prunableHash)),
  );
  return { ...file, transactions };
}

/**
 * Returns blocks with transactions: one for each coinbase among them, and the others in the second, in their order.
 *
 * @param transactions pruned ones
 */
export function blocksOf(transactions: readonly ParsedTransaction[]): ScannableBlock[] {
  const coinbases = transactions.filter(({ tx }) => tx.inputs[0]?.kind === 'gen');
  const others = transactions.filter(({ tx }) => tx.inputs[0]?.kind !== 'gen');
  const header = { majorVersion: 16, minorVersion: 16, timestamp: 1, nonce: 2 };
  return coinbases.map(({ tx }, i) => {
    const own = i === 1 ? others : [];
    const txHashes = own.map(({ id }) => id);
    const block = encodeBlock({ ...header, prevId: new Uint8Array(32), minerTx: tx, txHashes });
    const txs = own.map(({ blob, prunableHash }) => ({ blob, prunable_hash: prunableHash }));
    return { block, pruned: true, txs };
  });
}
