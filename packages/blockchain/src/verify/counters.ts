import type { VerificationCounters } from '../types.ts';

/** Returns counters that are all zero. */
export function newCounters(): VerificationCounters {
  return {
    blocks: 0,
    minerTxs: 0,
    known: 0,
    pow: 0,
    transactions: 0,
    cached: 0,
    outputKeys: 0,
    keyImages: 0,
    balances: 0,
    borromeans: 0,
    bulletproofs: 0,
    rangeProofs: 0,
    ringSignatures: 0,
    mlsags: 0,
    clsags: 0,
    membershipProofs: 0,
  };
}

/** Adds what was counted apart. */
export function addCounters(total: VerificationCounters, counted: VerificationCounters): void {
  for (const name of Object.keys(counted) as (keyof VerificationCounters)[])
    total[name] += counted[name];
}
