import type { PoolChanges, PoolTransaction } from '@monero-node/mempool';
import { sentChanges } from './channel.ts';

/** Returns changes with a number of transactions, and counts the reads of their bytes. */
function changesOf(count: number, weight: number, removed = 0): PoolChanges & { reads(): number } {
  let reads = 0;
  const tx = {
    weight,
    get blob() {
      reads += 1;
      return new Uint8Array(3);
    },
  } as unknown as PoolTransaction;
  return {
    incremental: true,
    added: Array<PoolTransaction>(count).fill(tx),
    removed: Array<Uint8Array>(removed).fill(new Uint8Array(32)),
    reads: () => reads,
  };
}

test('sends the changes of an ordinary poll', () => {
  const sent = sentChanges(changesOf(100, 2000, 10_000));
  expect(sent).toMatchObject({ incremental: true });
  expect([sent?.added.length, sent?.removed.length]).toEqual([100, 10_000]);
  expect(sent?.added[0]).toMatchObject({ weight: 2000, blob: new Uint8Array(3) });
});

test.each([
  ['transactions', changesOf(101, 1)],
  ['bytes', changesOf(11, 100_000)],
  ['removed ids', changesOf(0, 0, 10_001)],
])('does not copy too many %s', (_, changes) => {
  expect(sentChanges(changes)).toBeUndefined();
  expect(changes.reads()).toBe(0);
});
