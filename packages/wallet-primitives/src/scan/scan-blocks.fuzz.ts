import { DecodeError, encodeBlock, type ParsedTransaction } from '@monero-node/codec';
import { unlessRefused } from '@monero-node/codec/testing';
import { createWasmBackend } from '@monero-node/crypto';
import { accountFromSeed } from '../keys/account.ts';
import { decodeSeed } from '../seed/seed.ts';
import { recordedWallet } from '../testing/fixtures.ts';
import { english } from '../words/english.ts';
import { Scanner } from './scan.ts';

const { words, transactions } = recordedWallet();
const account = accountFromSeed(decodeSeed(words, [english]).secret);
const backend = createWasmBackend();
const scanner = new Scanner({
  account,
  backend,
  lookahead: { accounts: 4, addresses: 8, most: 64 },
});

const isCoinbase = ({ tx }: ParsedTransaction) => tx.inputs[0]?.kind === 'gen';
const [coinbase] = transactions.filter(isCoinbase);
if (coinbase === undefined) throw new Error('no coinbase is recorded');
const block = encodeBlock({
  majorVersion: 16,
  minorVersion: 16,
  timestamp: 1,
  nonce: 2,
  prevId: new Uint8Array(32),
  minerTx: coinbase.tx,
  txHashes: [],
});

export const maxLength = 4000;
export const seeds = [block, ...transactions.map(({ blob }) => blob)];

/** A scanner refuses blocks and transactions with DecodeError only, and finds the same outputs the second time. */
export function fuzz(input: Uint8Array): void {
  const prunable_hash = new Uint8Array(32).fill(1);
  const forms = [
    { block: input, pruned: true, txs: [] },
    { block, pruned: true, txs: [{ blob: input, prunable_hash }] },
    { block, pruned: false, txs: [input] },
  ];
  for (const form of forms) {
    const found = unlessRefused(() => scanner.scanBlocks([form]), DecodeError);
    if (found === undefined) continue;
    const parsed = scanner.scan(found.map(({ transaction }) => transaction));
    for (const [i, { outputs }] of found.entries()) {
      if (outputs.length !== parsed[i]?.outputs.length) throw new Error('other outputs are found');
    }
  }
}
