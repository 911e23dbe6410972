import type { ConsensusErrorCode } from '@monero-node/consensus';

/** The peer is not to blame: the link stays. */
export const NO_OFFENSE = -1;

/** The link is closed; the host's score does not change. */
const DROP_ONLY = 0;

/**
 * The penalty of the peer that sent a block or transaction with this error: NO_OFFENSE, DROP_ONLY, or
 * the points that are added to its host's score when the link is closed. Relay policy is not an
 * offense, because peers may have another one.
 */
const PENALTIES = {
  'bad-block-blob': DROP_ONLY,
  'block-blob-too-big': 1,
  'bad-block-hash': 1,
  'bad-prev-id': 1,
  'wrong-version': 1,
  'timestamp-too-old': 1,
  // Our own clock may be slow.
  'timestamp-too-new': DROP_ONLY,
  'difficulty-overflow': 1,
  'bad-proof-of-work': 10,
  'unconfirmed-proof-of-work': DROP_ONLY,
  'checkpoint-mismatch': 1,
  'below-checkpoint': 1,
  'tree-root': 1,
  'miner-tx-inputs': 1,
  'miner-tx-version': 1,
  'miner-tx-rct': 1,
  'miner-tx-height': 1,
  'miner-tx-unlock': 1,
  'miner-tx-overflow': 1,
  'miner-tx-output-type': 1,
  'miner-tx-unsorted-outputs': 1,
  'miner-tx-extra': 1,
  'miner-tx-output-count': 1,
  'miner-tx-decomposition': 1,
  'miner-tx-zero-output': 1,
  'miner-tx-amount': 1,
  'block-too-big': 1,
  'missing-tx': NO_OFFENSE,
  'duplicate-tx': 1,
  'bad-tx-blob': DROP_ONLY,
  'tx-too-big': DROP_ONLY,
  'tx-version': DROP_ONLY,
  'no-inputs': DROP_ONLY,
  'input-type': DROP_ONLY,
  'output-key': DROP_ONLY,
  'output-amount': DROP_ONLY,
  'output-decomposition': DROP_ONLY,
  'output-type': DROP_ONLY,
  'out-pk-count': DROP_ONLY,
  'amount-overflow': DROP_ONLY,
  overspend: DROP_ONLY,
  'duplicate-key-image': DROP_ONLY,
  'duplicate-ring-member': DROP_ONLY,
  'bad-key-image': DROP_ONLY,
  'key-image-encoding': DROP_ONLY,
  'rct-type': DROP_ONLY,
  'proof-layout': DROP_ONLY,
  'bad-range-proof': DROP_ONLY,
  'bad-balance': DROP_ONLY,
  'unsorted-outputs': DROP_ONLY,
  'torsioned-output': DROP_ONLY,
  'too-few-outputs': DROP_ONLY,
  'not-ringct': DROP_ONLY,
  'ring-size': DROP_ONLY,
  'mixable-inputs': DROP_ONLY,
  'unsorted-inputs': DROP_ONLY,
  'empty-ring': DROP_ONLY,
  'double-spend': DROP_ONLY,
  'ring-member-missing': DROP_ONLY,
  'ring-member-locked': DROP_ONLY,
  'ring-member-too-young': DROP_ONLY,
  'ring-not-empty': DROP_ONLY,
  'input-amount': DROP_ONLY,
  'carrot-ring-member': DROP_ONLY,
  // The peer may be ahead.
  'reference-block': NO_OFFENSE,
  'unverified-membership': NO_OFFENSE,
  'bad-membership-proof': DROP_ONLY,
  'spend-proof-encoding': DROP_ONLY,
  'bad-ring-signature': DROP_ONLY,
  'pool-double-spend': NO_OFFENSE,
  'fee-too-low': NO_OFFENSE,
  'tx-extra-too-big': NO_OFFENSE,
  'nonzero-unlock-time': NO_OFFENSE,
} as const satisfies Readonly<Record<ConsensusErrorCode, number>>;

/** Errors that cost no points in a block either. */
const NO_FAULT_OF_BLOCK: ReadonlySet<ConsensusErrorCode> = new Set([
  'bad-block-blob',
  'bad-tx-blob',
  'missing-tx',
  'timestamp-too-new',
  'unconfirmed-proof-of-work',
  'unverified-membership',
]);

/** Errors that the clock, the processor or the state of this program may have caused. */
const MAY_BE_OURS: ReadonlySet<ConsensusErrorCode> = new Set([
  'timestamp-too-new',
  'unconfirmed-proof-of-work',
  'unverified-membership',
]);

/** Returns whether this node, not the sender of a block, may be to blame for an error. */
export function mayBeOurs(code: ConsensusErrorCode): boolean {
  return MAY_BE_OURS.has(code);
}

/**
 * Returns the penalty for an error found in what a peer sent: NO_OFFENSE, 0 to close the link, or the
 * points to add to the host's score as well.
 *
 * @param carrier what the peer sent: a bad transaction inside a block is the block's fault
 */
export function penaltyOf(code: ConsensusErrorCode, carrier: 'block' | 'transaction'): number {
  const penalty = PENALTIES[code];
  if (carrier === 'transaction' || NO_FAULT_OF_BLOCK.has(code)) return penalty;
  return Math.max(1, penalty);
}

/** Returns the points for the sender of a block with this error: at least 1, unless the error may be our own. */
export function pointsForBlock(code: ConsensusErrorCode): number {
  return mayBeOurs(code) ? 0 : Math.max(1, penaltyOf(code, 'block'));
}

/** Whether a peer that relays a transaction with this error is dropped. */
export function isTransactionOffense(code: ConsensusErrorCode): boolean {
  return penaltyOf(code, 'transaction') !== NO_OFFENSE;
}
