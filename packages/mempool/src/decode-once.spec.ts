/** @jest-environment node */
import { jest } from '@jest/globals';
import * as codec from '@monero-node/codec';

let parses = 0;

jest.unstable_mockModule('@monero-node/codec', () => ({
  ...codec,
  parseTransaction: (blob: Uint8Array) => {
    parses++;
    return codec.parseTransaction(blob);
  },
}));

const { spend, startTestPool } = await import('./testing/test-pool.ts');

test.each(['local', 'peer'] as const)(
  'parses a transaction exactly once when it enters as bytes (%s)',
  async (source) => {
    const { pool } = await startTestPool();
    const { blob } = spend(2);
    parses = 0;
    expect(await pool.add(blob, { source })).toMatchObject({ status: 'added' });
    expect(parses).toBe(1);
  },
);

test('does not parse a transaction that enters decoded', async () => {
  const { pool } = await startTestPool();
  const tx = spend(2);
  parses = 0;
  expect(await pool.add(tx, { source: 'local' })).toMatchObject({ status: 'added' });
  expect(parses).toBe(0);
});
