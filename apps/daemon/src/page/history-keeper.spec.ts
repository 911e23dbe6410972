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
