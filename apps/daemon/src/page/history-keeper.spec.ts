import { HistoryKeeper } from './history-keeper.ts';

test('six samples make a point of the day', () => {
  const keeper = new HistoryKeeper(['pool']);
  const points = [];
  for (let i = 0; i < 13; i++) points.push(...keeper.add(600 + i * 10, { pool: i }));
  expect(points.filter(({ range }) => range === 'day')).toEqual([
    { range: 'day', at: 600, values: { pool: 2.5 } },
    { range: 'day', at: 660, values: { pool: 8.5 } },
  ]);
  expect(keeper.history.hour.series.pool).toHaveLength(13);
  expect(keeper.history.day).toEqual({ end: 660, series: { pool: [2.5, 8.5] } });
});

test('samples that are a little early or late leave no gap', () => {
  const keeper = new HistoryKeeper(['pool']);
  for (const seconds of [609.99, 620.02, 629.98, 640.01]) keeper.add(seconds, { pool: 1 });
  expect(keeper.history.hour.series.pool).toEqual([1, 1, 1, 1]);
});

test('a machine that slept has a gap', () => {
  const keeper = new HistoryKeeper(['pool']);
  keeper.add(600, { pool: 1 });
  keeper.add(3600, { pool: 2 });
  const { pool } = keeper.history.hour.series;
  expect([pool?.length, pool?.[0], pool?.[1], pool?.at(-1)]).toEqual([301, 1, null, 2]);
});

test('series that a view must not show are left out', () => {
  const keeper = new HistoryKeeper(['pool']);
  expect(keeper.add(600, { pool: 1, bytesIn: 5 })[0]?.values).toEqual({ pool: 1 });
  expect(Object.keys(keeper.history.hour.series)).toEqual(['pool']);
});

test('a day is 1440 points', () => {
  const keeper = new HistoryKeeper(['pool']);
  for (let i = 0; i < 10_000; i++) keeper.add(i * 10, { pool: i });
  expect(keeper.history.day.series.pool).toHaveLength(1440);
  expect(keeper.history.hour.series.pool).toHaveLength(360);
});

/** Adds samples of a minute each, until the clock of the last one. */
function run(keeper: HistoryKeeper, from: number, until: number, pool: number) {
  const points = [];
  for (let at = from; at < until; at += 60) points.push(...keeper.add(at, { pool }));
  return points;
}

test('the minutes of an hour make a point of the month', () => {
  const keeper = new HistoryKeeper(['pool']);
  const points = [...run(keeper, 7200, 9000, 2), ...run(keeper, 9000, 10_860, 4)];
  expect(points.filter(({ range }) => range === 'month')).toEqual([
    { range: 'month', at: 7200, values: { pool: 3 } },
  ]);
  expect(keeper.history.month).toEqual({ end: 7200, series: { pool: [3] } });
});

test('a restored history goes on, with a gap, and finishes its hour', () => {
  const before = new HistoryKeeper(['pool']);
  run(before, 7200, 9000, 2);
  const keeper = new HistoryKeeper(['pool', 'peers']);
  keeper.restore(structuredClone(before.history));
  expect(keeper.history.hour.series.peers).toEqual(
    keeper.history.hour.series.pool?.map(() => null),
  );
  const points = run(keeper, 18_000, 18_120, 7);
  expect(points.filter(({ range }) => range === 'month')).toEqual([
    { range: 'month', at: 7200, values: { pool: 2 } },
  ]);
  expect(keeper.history.day.end).toBe(18_000);
  const { pool } = keeper.history.day.series;
  expect([pool?.[0], pool?.at(-2), pool?.at(-1)]).toEqual([2, null, 7]);
});

test('a clock that is set back takes the later points only', () => {
  const keeper = new HistoryKeeper(['pool']);
  run(keeper, 7200, 18_060, 1);
  const minutes = keeper.history.day.series.pool?.length ?? 0;
  run(keeper, 14_400, 14_520, 5);
  const { day, month } = keeper.history;
  expect(day.end).toBe(14_400);
  expect(day.series.pool).toHaveLength(minutes - (17_940 - 14_400) / 60);
  expect([day.series.pool?.at(-2), day.series.pool?.at(-1)]).toEqual([1, 5]);
  expect(month.end).toBeLessThanOrEqual(14_400);
});

test('a month is 720 points', () => {
  const keeper = new HistoryKeeper(['pool']);
  for (let hour = 0; hour < 800; hour++) run(keeper, hour * 3600, hour * 3600 + 120, hour);
  expect(keeper.history.month.series.pool).toHaveLength(720);
});
