import { CONSENSUS_ERROR_SENTENCES, type ConsensusErrorCode } from '@monero-node/consensus';
import { isTransactionOffense, NO_OFFENSE, penaltyOf, pointsForBlock } from './error-penalties.ts';

/** The penalty of every error in a block and in a relayed transaction; -1 is NO_OFFENSE. */
const EXPECTED: readonly (readonly [ConsensusErrorCode, number, number])[] = [
  ['bad-block-blob', 0, 0],
  ['block-blob-too-big', 1, 1],
  ['bad-block-hash', 1, 1],
  ['bad-prev-id', 1, 1],
  ['wrong-version', 1, 1],
  ['timestamp-too-old', 1, 1],
  ['timestamp-too-new', 0, 0],
  ['difficulty-overflow', 1, 1],
  ['bad-proof-of-work', 10, 10],
  ['unconfirmed-proof-of-work', 0, 0],
  ['checkpoint-mismatch', 1, 1],
  ['below-checkpoint', 1, 1],
  ['miner-tx-inputs', 1, 1],
  ['miner-tx-version', 1, 1],
  ['miner-tx-rct', 1, 1],
  ['miner-tx-height', 1, 1],
  ['miner-tx-unlock', 1, 1],
  ['miner-tx-overflow', 1, 1],
  ['miner-tx-output-type', 1, 1],
  ['miner-tx-decomposition', 1, 1],
  ['miner-tx-zero-output', 1, 1],
  ['miner-tx-amount', 1, 1],
  ['block-too-big', 1, 1],
  ['missing-tx', -1, -1],
  ['duplicate-tx', 1, 1],
  ['bad-tx-blob', 0, 0],
  ['tx-too-big', 1, 0],
  ['tx-version', 1, 0],
  ['no-inputs', 1, 0],
  ['input-type', 1, 0],
  ['output-key', 1, 0],
  ['output-amount', 1, 0],
  ['output-decomposition', 1, 0],
  ['output-type', 1, 0],
  ['out-pk-count', 1, 0],
  ['amount-overflow', 1, 0],
  ['overspend', 1, 0],
  ['duplicate-key-image', 1, 0],
  ['duplicate-ring-member', 1, 0],
  ['bad-key-image', 1, 0],
  ['key-image-encoding', 1, 0],
  ['rct-type', 1, 0],
  ['proof-layout', 1, 0],
  ['bad-range-proof', 1, 0],
  ['bad-balance', 1, 0],
  ['too-few-outputs', 1, 0],
  ['not-ringct', 1, 0],
  ['ring-size', 1, 0],
  ['mixable-inputs', 1, 0],
  ['unsorted-inputs', 1, 0],
  ['empty-ring', 1, 0],
  ['double-spend', 1, 0],
  ['ring-member-missing', 1, 0],
  ['ring-member-locked', 1, 0],
  ['ring-member-too-young', 1, 0],
  ['bad-ring-signature', 1, 0],
  ['tree-root', 1, 1],
  ['miner-tx-unsorted-outputs', 1, 1],
  ['miner-tx-extra', 1, 1],
  ['miner-tx-output-count', 1, 1],
  ['unsorted-outputs', 1, 0],
  ['torsioned-output', 1, 0],
  ['ring-not-empty', 1, 0],
  ['input-amount', 1, 0],
  ['carrot-ring-member', 1, 0],
  ['reference-block', 1, -1],
  ['unverified-membership', -1, -1],
  ['bad-membership-proof', 1, 0],
  ['spend-proof-encoding', 1, 0],
  ['pool-double-spend', 1, -1],
  ['fee-too-low', 1, -1],
  ['tx-extra-too-big', 1, -1],
  ['nonzero-unlock-time', 1, -1],
];

test('lists every error code once', () => {
  const codes = EXPECTED.map(([code]) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect([...codes].sort()).toEqual(Object.keys(CONSENSUS_ERROR_SENTENCES).sort());
});

test.each(EXPECTED)(
  'charges %s with %i in a block and %i on its own',
  (code, block, transaction) => {
    expect(penaltyOf(code, 'block')).toBe(block);
    expect(penaltyOf(code, 'transaction')).toBe(transaction);
    expect(isTransactionOffense(code)).toBe(transaction !== NO_OFFENSE);
  },
);

test.each(['timestamp-too-new', 'unconfirmed-proof-of-work', 'unverified-membership'] as const)(
  'gives the sender of a block with %s no points: the fault may be our own',
  (code) => {
    expect(pointsForBlock(code)).toBe(0);
  },
);
