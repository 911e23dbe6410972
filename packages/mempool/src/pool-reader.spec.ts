import { Yielder } from '@monero-node/base';
import { concatBytes } from '@monero-node/codec';
import { spend, startTestPool } from './testing/test-pool.ts';

test('130,000 known ids are looked up in slices', async () => {
  const { pool } = await startTestPool();
  const { blob, id } = spend(2);
  await pool.add(blob, { source: 'peer', relay: 'fluff' });
  const unknown = new Uint8Array(130_000 * 32).map((_, i) => i >> 5);
  let slices = 0;
  const nextSlice = (): Promise<void> => {
    slices++;
    return Promise.resolve();
  };
  const yielder = new Yielder({ sliceMs: 0 }, { nextSlice });
  expect(await pool.complement(unknown, yielder)).toEqual([blob]);
  expect(slices).toBeGreaterThan(500);
  expect(await pool.complement(concatBytes(unknown, id))).toEqual([]);
});
