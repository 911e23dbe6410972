import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../../fixtures/', import.meta.url);

/** A chain recorded from monerod, one array per column, genesis first (see fixtures/README.md). */
export interface RecordedChain {
  columns: number[][];
  median: number;
  limit: number;
  adjustedTime: number;
  pool: [weight: number, fee: number][];
  fees?: Record<string, number[]>;
}

/** Blocks of chosen weights fed to monerod, without genesis, and what it answered on the way. */
export interface WeighedChain {
  columns: number[][];
  samples: {
    height: number;
    version: number;
    median: number;
    limit: number;
    adjusted: number;
    /** For 0, 10, 60 and 99 grace blocks: four fees, or before fork 15 one rate and the mask. */
    fees: number[][];
  }[];
}

export interface RecordedChains {
  wallets: RecordedChain;
  forks: RecordedChain;
  'heavy-regtest': WeighedChain;
  'heavy-forks': WeighedChain;
  forkHeights: [version: number, height: number][];
}

export interface RecordedTransaction {
  shape: string;
  version: number;
  height: number;
  id: string;
  weight: number;
  /** base64 */
  blob: string;
  rings?: {
    index: number;
    key: string;
    commitment: string;
    unlockTime: number;
    height: number;
  }[][];
}

export interface RecordedDifficulty {
  timestamps: number[];
  difficulties: number[];
  next: number;
}

export function readFixture<T>(name: string): T {
  const bytes = readFileSync(new URL(name, folder));
  return JSON.parse((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as T;
}
