import { countParses } from '@monero-node/codec/testing';
import { spend, startTestPool } from './testing/test-pool.ts';

test.each(['local', 'peer'] as const)(
  'parses a transaction exactly once when it enters as bytes (%s)',
  async (source) => {
    const { pool } = await startTestPool();
    const { blob } = spend(2);
    const parses = await countParses(async () => {
      expect(await pool.add(blob, { source })).toMatchObject({ status: 'added' });
    });
    expect(parses.transactions).toBe(1);
  },
);

test('does not parse a transaction that enters decoded', async () => {
  const { pool } = await startTestPool();
  const tx = spend(2);
  const parses = await countParses(async () => {
    expect(await pool.add(tx, { source: 'local' })).toMatchObject({ status: 'added' });
  });
  expect(parses.transactions).toBe(0);
});
