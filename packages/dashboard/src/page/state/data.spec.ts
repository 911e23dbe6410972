import { applyChange, begin, type PageData } from './data.ts';
import type { BlockRow, LogRow, StateMessage } from './messages.ts';

const block = (height: number, id = `${height}`): BlockRow => ({
  height,
  id,
  timestamp: height,
  transactions: 0,
  weight: 1,
  fees: 0,
  reward: 1,
});
const line = (number: number): LogRow => ({
  number,
  time: number,
  level: 'INFO',
  category: 'global',
  text: 'x',
});
const track = (end: number, pool: (number | null)[]) => ({ end, series: { pool } });
const message = (changed: Partial<StateMessage> = {}): StateMessage => ({
  now: 1,
  script: '/a.js',
  node: { network: 'mainnet', view: 'owner' },
  sections: {},
  blocks: [block(1), block(2), block(3)],
  log: [line(1)],
  history: { hour: track(100, [1]), day: track(60, [1]), month: track(0, []) },
  ...changed,
});
const heights = ({ blocks }: PageData) => blocks.map(({ height, id }) => [height, id]);

test('a section is replaced as a whole, the others stay', () => {
  const fees = { perByte: [1] };
  const disk = { chainBytes: 1, freeBytes: null, stripe: null };
  const data = applyChange(begin(message({ sections: { fees } })), { now: 2, sections: { disk } });
  expect(data.sections).toEqual({ fees, disk });
});

test('blocks of another branch replace those above the split', () => {
  const added = [block(2, 'other'), block(3, 'third'), block(4)];
  const data = applyChange(begin(message()), { now: 2, blocks: { from: 2, added } });
  expect(heights(data)).toEqual([
    [1, '1'],
    [2, 'other'],
    [3, 'third'],
    [4, '4'],
  ]);
});

test('popped blocks go', () => {
  const data = applyChange(begin(message()), { now: 2, blocks: { from: 2, added: [] } });
  expect(heights(data)).toEqual([[1, '1']]);
});

test('blocks, lines and points are bounded', () => {
  let data = begin(message());
  for (let i = 4; i < 2000; i++) {
    data = applyChange(data, {
      now: i,
      blocks: { from: i, added: [block(i)] },
      log: [line(i)],
      points: [
        { range: 'hour', at: 100 + i * 10, values: { pool: i } },
        { range: 'day', at: 60 + i * 60, values: { pool: i } },
      ],
    });
  }
  const { hour, day } = data.history;
  expect([data.blocks.length, data.log?.length]).toEqual([30, 100]);
  expect([hour.series.pool?.length, day.series.pool?.length]).toEqual([360, 1440]);
  expect(hour.series.pool?.at(-1)).toBe(1999);
});

test('what is known already changes nothing', () => {
  const first = begin(message());
  const data = applyChange(first, {
    now: 2,
    log: [line(1), line(2)],
    points: [{ range: 'hour', at: 100, values: { pool: 9 } }],
  });
  expect(data.log?.map(({ number }) => number)).toEqual([1, 2]);
  expect(data.history).toEqual(first.history);
});

test('missed steps are empty, however many there are', () => {
  const points = [{ range: 'hour' as const, at: 130, values: { pool: 4 } }];
  const data = applyChange(begin(message()), { now: 2, points });
  expect(data.history.hour).toEqual(track(130, [1, null, null, 4]));
  const late = [{ range: 'hour' as const, at: 1e12, values: { pool: 5 } }];
  expect(applyChange(data, { now: 3, points: late }).history.hour.series.pool).toHaveLength(360);
});

test('the first point of an empty series', () => {
  const empty = message({
    history: { hour: track(0, []), day: track(0, []), month: track(0, []) },
  });
  const points = [{ range: 'day' as const, at: 1.7e9, values: { pool: 4 } }];
  const data = applyChange(begin(empty), { now: 2, points });
  expect(data.history.day).toEqual(track(1.7e9, [4]));
});
