import type { ConsensusErrorCode } from '@monero-node/consensus';

/** Flags that a `/send_raw_transaction` answer sets to say why a transaction was refused. */
export type RpcFlag =
  | 'low_mixin'
  | 'double_spend'
  | 'invalid_input'
  | 'invalid_output'
  | 'too_big'
  | 'overspend'
  | 'fee_too_low'
  | 'too_few_outputs'
  | 'tx_extra_too_big'
  | 'nonzero_unlock_time';

/**
 * The flags that each error sets; without any the answer has only the status "Failed". Rules of inputs
 * against the chain also set `invalid_input`, because the pool adds it to all of them. A key image that is no point sets
 * none: monerod then fails with an exception. So does a scalar of a spend proof that is not reduced.
 *
 * Source: on_send_raw_tx in src/rpc/core_rpc_server.cpp; add_tx in src/cryptonote_core/tx_pool.cpp.
 */
export const RPC_FLAGS_OF_ERROR = {
  'bad-block-blob': [],
  'block-blob-too-big': [],
  'bad-block-hash': [],
  'bad-prev-id': [],
  'wrong-version': [],
  'timestamp-too-old': [],
  'timestamp-too-new': [],
  'difficulty-overflow': [],
  'bad-proof-of-work': [],
  'unconfirmed-proof-of-work': [],
  'checkpoint-mismatch': [],
  'below-checkpoint': [],
  'tree-root': [],
  'miner-tx-inputs': [],
  'miner-tx-version': [],
  'miner-tx-rct': [],
  'miner-tx-height': [],
  'miner-tx-unlock': [],
  'miner-tx-overflow': [],
  'miner-tx-output-type': [],
  'miner-tx-unsorted-outputs': [],
  'miner-tx-extra': [],
  'miner-tx-output-count': [],
  'miner-tx-decomposition': [],
  'miner-tx-zero-output': [],
  'miner-tx-amount': [],
  'block-too-big': [],
  'missing-tx': [],
  'duplicate-tx': [],
  'bad-tx-blob': [],
  'tx-too-big': ['too_big'],
  'tx-version': [],
  'no-inputs': ['invalid_input'],
  'input-type': ['invalid_input'],
  'output-key': ['invalid_output'],
  'output-amount': ['invalid_output'],
  'output-decomposition': ['invalid_output'],
  'output-type': ['invalid_output'],
  'out-pk-count': ['invalid_output'],
  'amount-overflow': ['overspend'],
  overspend: ['overspend'],
  'duplicate-key-image': ['invalid_input'],
  'duplicate-ring-member': ['invalid_input'],
  'bad-key-image': ['invalid_input'],
  'key-image-encoding': [],
  'rct-type': ['invalid_output'],
  'proof-layout': ['invalid_input'],
  'bad-range-proof': ['invalid_input'],
  'bad-balance': ['invalid_input'],
  'unsorted-outputs': ['invalid_output'],
  'torsioned-output': ['invalid_output'],
  'too-few-outputs': ['invalid_input', 'too_few_outputs'],
  'not-ringct': ['invalid_input'],
  'ring-size': ['low_mixin', 'invalid_input'],
  'mixable-inputs': ['low_mixin', 'invalid_input'],
  'unsorted-inputs': ['invalid_input'],
  'empty-ring': ['invalid_input'],
  'double-spend': ['double_spend', 'invalid_input'],
  'ring-member-missing': ['invalid_input'],
  'ring-member-locked': ['invalid_input'],
  'ring-member-too-young': ['invalid_input'],
  'ring-not-empty': ['invalid_input'],
  'input-amount': ['invalid_input'],
  'carrot-ring-member': ['invalid_input'],
  'reference-block': ['invalid_input'],
  'unverified-membership': ['invalid_input'],
  'bad-membership-proof': ['invalid_input'],
  'spend-proof-encoding': [],
  'bad-ring-signature': ['invalid_input'],
  'pool-double-spend': ['double_spend'],
  'fee-too-low': ['fee_too_low'],
  'tx-extra-too-big': ['tx_extra_too_big'],
  'nonzero-unlock-time': ['nonzero_unlock_time'],
} as const satisfies Readonly<Record<ConsensusErrorCode, readonly RpcFlag[]>>;
