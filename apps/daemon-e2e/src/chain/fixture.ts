import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readChainFile, type RecordedBlock } from './chain-file.ts';

/** The recorded chain, as monero-blockchain-import takes it. */
export const CHAIN_FILE = fileURLToPath(new URL('../../fixtures/chain.raw', import.meta.url));
const ABOUT_FILE = fileURLToPath(new URL('../../fixtures/chain.json', import.meta.url));

export interface ChainWallet {
  name: string;
  /** 25 words. */
  seed: string;
  address: string;
  /** Secret keys, hex. Regtest coins only. */
  spendKey: string;
  viewKey: string;
}

/** What is known about the recorded chain; written by record-chain.ts. */
export interface ChainFacts {
  /** Number of blocks, genesis included. */
  height: number;
  topId: string;
  /** Without coinbases. */
  transactions: number;
  wallets: ChainWallet[];
  recorded: string;
  monerod: string;
  how: string;
}

export function chainFacts(): ChainFacts {
  return JSON.parse(readFileSync(ABOUT_FILE, 'utf8')) as ChainFacts;
}

/** Blocks of the recorded chain by height; genesis may be absent from the file, then from here. */
export function recordedBlocks(): RecordedBlock[] {
  return readChainFile(CHAIN_FILE);
}
