import type { ConsensusErrorCode } from '@monero-node/consensus';
import { reasonOfFlags, RPC_FLAGS_OF_ERROR, type RpcFlag } from './error-flags.ts';

/** What `/send_raw_transaction` answers for every error: flags and reason. */
const EXPECTED: readonly (readonly [ConsensusErrorCode, readonly RpcFlag[], string])[] = [
  ['bad-block-blob', [], ''],
  ['block-blob-too-big', [], ''],
  ['bad-block-hash', [], ''],
  ['bad-prev-id', [], ''],
  ['wrong-version', [], ''],
  ['timestamp-too-old', [], ''],
  ['timestamp-too-new', [], ''],
  ['difficulty-overflow', [], ''],
  ['bad-proof-of-work', [], ''],
  ['unconfirmed-proof-of-work', [], ''],
  ['checkpoint-mismatch', [], ''],
  ['below-checkpoint', [], ''],
  ['miner-tx-inputs', [], ''],
  ['miner-tx-version', [], ''],
  ['miner-tx-rct', [], ''],
  ['miner-tx-height', [], ''],
  ['miner-tx-unlock', [], ''],
  ['miner-tx-overflow', [], ''],
  ['miner-tx-output-type', [], ''],
  ['miner-tx-decomposition', [], ''],
  ['miner-tx-zero-output', [], ''],
  ['miner-tx-amount', [], ''],
  ['block-too-big', [], ''],
  ['missing-tx', [], ''],
  ['duplicate-tx', [], ''],
  ['bad-tx-blob', [], ''],
  ['tx-too-big', ['too_big'], 'too big'],
  ['tx-version', [], ''],
  ['no-inputs', ['invalid_input'], 'invalid input'],
  ['input-type', ['invalid_input'], 'invalid input'],
  ['output-key', ['invalid_output'], 'invalid output'],
  ['output-amount', ['invalid_output'], 'invalid output'],
  ['output-decomposition', ['invalid_output'], 'invalid output'],
  ['output-type', ['invalid_output'], 'invalid output'],
  ['out-pk-count', ['invalid_output'], 'invalid output'],
  ['amount-overflow', ['overspend'], 'overspend'],
  ['overspend', ['overspend'], 'overspend'],
  ['duplicate-key-image', ['invalid_input'], 'invalid input'],
  ['duplicate-ring-member', ['invalid_input'], 'invalid input'],
  ['bad-key-image', ['invalid_input'], 'invalid input'],
  ['rct-type', ['invalid_output'], 'invalid output'],
  ['proof-layout', ['invalid_input'], 'invalid input'],
  ['bad-range-proof', ['invalid_input'], 'invalid input'],
  ['bad-balance', ['invalid_input'], 'invalid input'],
  ['too-few-outputs', ['invalid_input', 'too_few_outputs'], 'invalid input, too few outputs'],
  ['not-ringct', ['invalid_input'], 'invalid input'],
  ['ring-size', ['low_mixin', 'invalid_input'], 'bad ring size, invalid input'],
  ['mixable-inputs', ['low_mixin', 'invalid_input'], 'bad ring size, invalid input'],
  ['unsorted-inputs', ['invalid_input'], 'invalid input'],
  ['empty-ring', ['invalid_input'], 'invalid input'],
  ['double-spend', ['double_spend', 'invalid_input'], 'double spend, invalid input'],
  ['ring-member-missing', ['invalid_input'], 'invalid input'],
  ['ring-member-locked', ['invalid_input'], 'invalid input'],
  ['ring-member-too-young', ['invalid_input'], 'invalid input'],
  ['bad-ring-signature', ['invalid_input'], 'invalid input'],
  ['pool-double-spend', ['double_spend'], 'double spend'],
  ['fee-too-low', ['fee_too_low'], 'fee too low'],
  ['tx-extra-too-big', ['tx_extra_too_big'], 'tx-extra too big'],
  ['nonzero-unlock-time', ['nonzero_unlock_time'], 'tx unlock time is not zero'],
];

test('lists every error code once', () => {
  const codes = EXPECTED.map(([code]) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect([...codes].sort()).toEqual(Object.keys(RPC_FLAGS_OF_ERROR).sort());
});

test.each(EXPECTED)('answers %s with its flags and reason', (code, flags, reason) => {
  expect(RPC_FLAGS_OF_ERROR[code]).toEqual(flags);
  expect(reasonOfFlags(flags)).toBe(reason);
});
