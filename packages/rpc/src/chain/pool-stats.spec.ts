import type { PoolTransaction } from '../pool.ts';
import { poolHistogram, poolStats } from './pool-stats.ts';

const NOW = 10_000;

function aged(age: number, weight = 100): PoolTransaction {
  const id = new Uint8Array(32);
  return {
    id,
    blob: id,
    weight,
    fee: 5n,
    receiveTime: NOW - age,
    lastRelayedTime: undefined,
    relayed: age % 2 === 0,
    doNotRelay: false,
    keptByBlock: false,
    doubleSpendSeen: age === 7,
    maxUsedBlockHeight: 0,
    maxUsedBlockId: id,
    lastFailedHeight: age === 8 ? 5 : 0,
    lastFailedId: id,
    broadcast: true,
    keyImages: [],
  };
}

// The figures of a pool with 13 transactions are among the recorded calls; these are worked out by hand from
// get_transaction_stats in src/cryptonote_core/tx_pool.cpp.
describe('pool statistics', () => {
  test('without transactions everything is 0', () => {
    expect(poolStats([], NOW)).toMatchObject({ bytes_med: 0, oldest: 0, txs_total: 0 });
    expect(poolHistogram([], NOW)).toEqual({ age98: 0, bins: [] });
    expect(poolHistogram([aged(5)], NOW)).toEqual({ age98: 0, bins: [] });
  });

  test('sums, and a median that is the lower mean of the middle two', () => {
    expect(poolStats([aged(7, 101), aged(8, 300), aged(601, 102), aged(600, 50)], NOW)).toEqual({
      bytes_max: 300,
      bytes_med: 101,
      bytes_min: 50,
      bytes_total: 553,
      fee_total: 20n,
      num_10m: 1,
      num_double_spends: 1,
      num_failing: 1,
      num_not_relayed: 2,
      oldest: NOW - 601,
      txs_total: 4,
    });
  });

  test('few transactions are spread over the whole age, in as many bins up to ten', () => {
    const { age98, bins } = poolHistogram([aged(0), aged(10), aged(40)], NOW);
    expect(age98).toBe(0);
    // Ages 1 (none is younger), 10 and 40 in three bins of 40 s: (a * 3 - 1) / 40.
    expect(bins).toEqual([
      { bytes: 200, txs: 2 },
      { bytes: 0, txs: 0 },
      { bytes: 100, txs: 1 },
    ]);
  });

  test('of a hundred the oldest two per cent fall into the tenth bin', () => {
    const { age98, bins } = poolHistogram(
      Array.from({ length: 100 }, (_, i) => aged(i + 1)),
      NOW,
    );
    // The two oldest are 99 and 100 s: nine bins over 99 s for the 98 younger, (a * 9 - 1) / 99.
    expect(age98).toBe(99);
    expect(bins.map((bin) => bin.txs)).toEqual([11, 11, 11, 11, 11, 11, 11, 11, 10, 2]);
    expect(bins.reduce((sum, bin) => sum + bin.bytes, 0)).toBe(10_000);
  });
});
