import type { ConsensusErrorCode } from '@monero-node/consensus';
import { RPC_FLAGS_OF_ERROR, type RpcFlag } from './error-flags.ts';

/** The flags that `/send_raw_transaction` sets for every error. */
const EXPECTED: readonly (readonly [ConsensusErrorCode, readonly RpcFlag[]])[] = [
  ['bad-block-blob', []],
  ['block-blob-too-big', []],
  ['bad-block-hash', []],
  ['bad-prev-id', []],
  ['wrong-version', []],
  ['timestamp-too-old', []],
  ['timestamp-too-new', []],
  ['difficulty-overflow', []],
  ['bad-proof-of-work', []],
  ['unconfirmed-proof-of-work', []],
  ['checkpoint-mismatch', []],
  ['below-checkpoint', []],
  ['miner-tx-inputs', []],
  ['miner-tx-version', []],
  ['miner-tx-rct', []],
  ['miner-tx-height', []],
  ['miner-tx-unlock', []],
  ['miner-tx-overflow', []],
  ['miner-tx-output-type', []],
  ['miner-tx-decomposition', []],
  ['miner-tx-zero-output', []],
  ['miner-tx-amount', []],
  ['block-too-big', []],
  ['missing-tx', []],
  ['duplicate-tx', []],
  ['bad-tx-blob', []],
  ['tx-too-big', ['too_big']],
  ['tx-version', []],
  ['no-inputs', ['invalid_input']],
  ['input-type', ['invalid_input']],
  ['output-key', ['invalid_output']],
  ['output-amount', ['invalid_output']],
  ['output-decomposition', ['invalid_output']],
  ['output-type', ['invalid_output']],
  ['out-pk-count', ['invalid_output']],
  ['amount-overflow', ['overspend']],
  ['overspend', ['overspend']],
  ['duplicate-key-image', ['invalid_input']],
  ['duplicate-ring-member', ['invalid_input']],
  ['bad-key-image', ['invalid_input']],
  ['key-image-encoding', []],
  ['rct-type', ['invalid_output']],
  ['proof-layout', ['invalid_input']],
  ['bad-range-proof', ['invalid_input']],
  ['bad-balance', ['invalid_input']],
  ['too-few-outputs', ['invalid_input', 'too_few_outputs']],
  ['not-ringct', ['invalid_input']],
  ['ring-size', ['low_mixin', 'invalid_input']],
  ['mixable-inputs', ['low_mixin', 'invalid_input']],
  ['unsorted-inputs', ['invalid_input']],
  ['empty-ring', ['invalid_input']],
  ['double-spend', ['double_spend', 'invalid_input']],
  ['ring-member-missing', ['invalid_input']],
  ['ring-member-locked', ['invalid_input']],
  ['ring-member-too-young', ['invalid_input']],
  ['bad-ring-signature', ['invalid_input']],
  ['pool-double-spend', ['double_spend']],
  ['fee-too-low', ['fee_too_low']],
  ['tx-extra-too-big', ['tx_extra_too_big']],
  ['nonzero-unlock-time', ['nonzero_unlock_time']],
];

test('lists every error code once', () => {
  const codes = EXPECTED.map(([code]) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect([...codes].sort()).toEqual(Object.keys(RPC_FLAGS_OF_ERROR).sort());
});

test.each(EXPECTED)('answers %s with its flags', (code, flags) => {
  expect(RPC_FLAGS_OF_ERROR[code]).toEqual(flags);
});
