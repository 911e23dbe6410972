import * as format from './format.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [999.6, '1.00 kB'],
  [1234, '1.23 kB'],
  [99_960, '100 kB'],
  [12_345_678, '12.3 MB'],
  [999_600_000, '1.00 GB'],
  [5e15, '5000 TB'],
])('%d bytes are %s', (value, text) => expect(format.bytes(value)).toBe(text));

test('hash rates and counts', () => {
  expect(format.hashRate(5_432_100_000)).toBe('5.43 GH/s');
  expect(format.hashRate(0.2)).toBe('0 H/s');
  expect(format.short(412_345_678_901)).toBe('412 G');
  expect(format.short(17)).toBe('17');
  expect(format.grouped(3_456_789)).toBe('3,456,789');
});

test('ratios', () => {
  expect([null, 0, 0.674, 12.5].map(format.percent)).toEqual(['–', '0 %', '67 %', '1,250 %']);
});

test('amounts', () => {
  expect(format.xmr(601_234_567_890, 4)).toBe('0.6012');
  expect(format.smallXmr(30_700_000)).toBe('0.000031');
  expect(format.smallXmr(0)).toBe('0');
  expect(format.smallXmr(1)).toBe('0.000000000001');
  expect(format.smallXmr(2.5e12)).toBe('2.50');
});

test.each([
  [-3, '0 s', '0 s'],
  [59.4, '59 s', '59 s'],
  [61, '1 min 1 s', '1 min'],
  [3600, '1 h 0 min', '1 h'],
  [90_000, '1 d 1 h', '1 d'],
])('%d seconds', (seconds, long, short) => {
  expect([format.duration(seconds), format.shortDuration(seconds)]).toEqual([long, short]);
});

test('round trips and long texts', () => {
  expect([null, 0.3, 41.6].map(format.roundTrip)).toEqual(['–', '< 1 ms', '42 ms']);
  expect(format.abridged('abcdefghij', 2)).toBe('ab…ij');
  expect(format.abridged('abcde', 2)).toBe('abcde');
});

test('a moment of a chart has the date where points are hours apart', () => {
  const noon = new Date(2026, 10, 5, 12, 30).getTime() / 1000;
  expect(format.momentOf(noon, 60)).toBe('12:30');
  expect(format.momentOf(noon, 3600)).toBe('5 Nov, 12:30');
  expect(format.momentOf(noon, 3600, true)).toBe('5 Nov');
});
