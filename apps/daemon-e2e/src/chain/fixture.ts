import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readChainFile, type RecordedBlock } from './chain-file.ts';

/** Path of the recorded chain, in the format of monero-blockchain-import. */
export const CHAIN_FILE = fileURLToPath(new URL('../../fixtures/chain.raw', import.meta.url));
const ABOUT_FILE = fileURLToPath(new URL('../../fixtures/chain.json', import.meta.url));

export interface ChainWallet {
  name: string;
  /** The seed, 25 words. */
  seed: string;
  address: string;
  /** Secret keys in hex. They hold regtest coins only. */
  spendKey: string;
  viewKey: string;
}

/** Facts about the recorded chain, written by record-chain.ts. */
export interface ChainFacts {
  /** Number of blocks, genesis included. */
  height: number;
  topId: string;
  /** Number of transactions, without coinbases. */
  transactions: number;
  wallets: ChainWallet[];
  recorded: string;
  monerod: string;
  how: string;
}

export function chainFacts(): ChainFacts {
  return JSON.parse(readFileSync(ABOUT_FILE, 'utf8')) as ChainFacts;
}

/** Returns the blocks of the recorded chain by height. Genesis is missing if the file lacks it. */
export function recordedBlocks(): RecordedBlock[] {
  return readChainFile(CHAIN_FILE);
}
