import { BLOCK_CASES, CONTENT_CASES } from './block-cases.ts';
import type { MutationCase } from './mutation-case.ts';
import { MINER_CASES } from './miner-cases.ts';
import { PROOF_CASES } from './proof-cases.ts';
import { RING_CASES } from './ring-cases.ts';
import { TRANSACTION_CASES } from './transaction-cases.ts';

/** All cases by group of rules. */
export const CASE_GROUPS: readonly (readonly [group: string, cases: readonly MutationCase[]])[] = [
  ['block', BLOCK_CASES],
  ['miner transaction', MINER_CASES],
  ['contents of the block', CONTENT_CASES],
  ['transaction', TRANSACTION_CASES],
  ['ring', RING_CASES],
  ['proof', PROOF_CASES],
];
