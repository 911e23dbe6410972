import { CONSENSUS_ERROR_SENTENCES } from './error-codes.ts';
import { ConsensusError } from './consensus-error.ts';

test('has a different sentence for every code', () => {
  const sentences = Object.values(CONSENSUS_ERROR_SENTENCES);
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[a-z].{10,}[^.]$/);
});

test('carries code, place and detail', () => {
  const error = new ConsensusError('ring-size', '3', { height: 5, txId: 'ab' });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('ConsensusError');
  expect([error.code, error.detail, error.height, error.txId]).toEqual(['ring-size', '3', 5, 'ab']);
  expect(error.message).toBe('the ring size is not allowed: 3');
  const bare = new ConsensusError('no-inputs');
  expect(bare.message).toBe('the transaction has no inputs');
  expect([bare.height, bare.txId, bare.detail]).toEqual([undefined, undefined, '']);
});
