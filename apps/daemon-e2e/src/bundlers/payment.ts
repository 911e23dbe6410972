import { readFileSync } from 'node:fs';

interface RecordedFile {
  readonly words: string;
  readonly transactions: readonly {
    readonly id: string;
    readonly base: string;
    readonly prunableHash: string;
  }[];
  readonly outputs: readonly {
    readonly txId: string;
    readonly key: string;
    readonly amount: string;
  }[];
}

const FILE = new URL(
  '../../../../packages/wallet-primitives/fixtures/wallet.json',
  import.meta.url,
);

/** Returns a seed, a transaction that pays it, bytes in hex, and the outputs that monero-wallet-rpc found in it: key and amount, in order of keys. */
export function recordedPayment() {
  const { words, transactions, outputs } = JSON.parse(readFileSync(FILE, 'utf8')) as RecordedFile;
  const last = outputs.at(-1);
  const transaction = transactions.find(({ id }) => id === last?.txId);
  if (transaction === undefined) throw new Error('no recorded payment');
  const { id, base, prunableHash } = transaction;
  const found = outputs.filter(({ txId }) => txId === id).map(({ key, amount }) => [key, amount]);
  return { words, base, prunableHash, outputs: found.sort() };
}
