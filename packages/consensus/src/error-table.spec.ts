import { CONSENSUS_ERRORS, NO_OFFENSE, penaltyOf } from './error-table.ts';
import type { ConsensusErrorCode } from './error-table.ts';
import { ConsensusError } from './errors.ts';

const CODES = Object.keys(CONSENSUS_ERRORS) as ConsensusErrorCode[];

test('every code has a sentence of its own', () => {
  const sentences = CODES.map((code) => CONSENSUS_ERRORS[code].sentence);
  expect(new Set(sentences).size).toBe(CODES.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[a-z].{10,}[^.]$/);
});

test('what send_raw_transaction says', () => {
  const reason = (code: ConsensusErrorCode) => CONSENSUS_ERRORS[code].reason;
  expect(reason('tx-version')).toBeUndefined();
  expect(reason('bad-tx-blob')).toBeUndefined();
  expect(reason('tx-too-big')).toBe('too big');
  expect(reason('overspend')).toBe('overspend');
  expect(reason('output-type')).toBe('invalid output');
  expect(reason('bad-range-proof')).toBe('invalid input');
  expect(reason('ring-size')).toBe('bad ring size, invalid input');
  expect(reason('double-spend')).toBe('double spend, invalid input');
  expect(reason('pool-double-spend')).toBe('double spend');
  expect(reason('too-few-outputs')).toBe('invalid input, too few outputs');
  expect(reason('fee-too-low')).toBe('fee too low');
  expect(reason('tx-extra-too-big')).toBe('tx-extra too big');
  expect(reason('nonzero-unlock-time')).toBe('tx unlock time is not zero');
  expect(CONSENSUS_ERRORS['ring-size'].rpcFlag).toBe('low_mixin');
  expect(CONSENSUS_ERRORS['ring-size'].rpcFlags).toEqual(['low_mixin', 'invalid_input']);
});

test('penalties', () => {
  expect(penaltyOf('bad-proof-of-work', 'block')).toBe(10);
  expect(penaltyOf('wrong-version', 'block')).toBe(1);
  expect(penaltyOf('bad-block-blob', 'block')).toBe(0);
  expect(penaltyOf('missing-tx', 'block')).toBe(NO_OFFENSE);
  expect(penaltyOf('double-spend', 'block')).toBe(1);
  expect(penaltyOf('double-spend', 'transaction')).toBe(0);
  expect(penaltyOf('bad-tx-blob', 'block')).toBe(0);
  expect(penaltyOf('fee-too-low', 'transaction')).toBe(NO_OFFENSE);
});

test('an error tells code, place and detail', () => {
  const error = new ConsensusError('ring-size', '3', { height: 5, txId: 'ab' });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('ConsensusError');
  expect([error.code, error.detail, error.height, error.txId]).toEqual(['ring-size', '3', 5, 'ab']);
  expect(error.message).toBe('the ring size is not allowed: 3');
  const bare = new ConsensusError('no-inputs');
  expect(bare.message).toBe('the transaction has no inputs');
  expect([bare.height, bare.txId, bare.detail]).toEqual([undefined, undefined, '']);
});
