import { TrackKeeper } from './history-keeper.ts';

test('values are kept in order, up to the number of points', () => {
  const keeper = new TrackKeeper('hour', ['pool']);
  for (let i = 1; i <= 400; i++) keeper.add(i * 10, { pool: i });
  const { end, series } = keeper.track;
  expect([end, series.pool?.length, series.pool?.[0], series.pool?.at(-1)]).toEqual([
    ...[4000, 360, 41, 400],
  ]);
});

test('missed steps are empty, and a long gap costs no more than the range', () => {
  const keeper = new TrackKeeper('hour', ['pool']);
  keeper.add(100, { pool: 1 });
  keeper.add(130, { pool: 2 });
  expect(keeper.track.series.pool).toEqual([1, null, null, 2]);
  keeper.add(10_000_000_000, { pool: 3 });
  expect(keeper.track.series.pool).toHaveLength(360);
  expect(new Set(keeper.track.series.pool)).toEqual(new Set([null, 3]));
});

test('a clock that was set back begins anew', () => {
  const keeper = new TrackKeeper('hour', ['pool']);
  keeper.add(1000, { pool: 1 });
  keeper.add(100, { pool: 2 });
  expect(keeper.track).toEqual({ end: 100, series: { pool: [2] } });
});

test('a value that was not measured is empty', () => {
  const keeper = new TrackKeeper('hour', ['pool', 'peers']);
  keeper.add(10, { pool: 5 });
  expect(keeper.track.series).toEqual({ pool: [5], peers: [null] });
});
