import {
  byteCount,
  clock,
  hashesPerSecond,
  money,
  timeAgo,
  timeSpan,
  timestamp,
  uptime,
} from './format.ts';

test('figures for people', () => {
  expect([money(1n), money(35_184_338_534_400n)]).toEqual(['0.000000000001', '35.184338534400']);
  expect([byteCount(1023), byteCount(8_388_608)]).toEqual(['1023 B', '8.00 MB']);
  expect([timeSpan(59), timeSpan(90), timeSpan(5400), timeSpan(200_000)]).toEqual([
    '59 seconds',
    '1.5 minutes',
    '1.5 hours',
    '2.3 days',
  ]);
  expect([timeAgo(5, 5), timeAgo(0, 89), timeAgo(0, 7339), timeAgo(100, 40)]).toEqual([
    'now',
    '89 seconds ago',
    '2 hours ago',
    '60 seconds in the future',
  ]);
  expect([timestamp(0), timestamp(1_795_218_013)]).toEqual(['<unknown>', '2026-11-20 23:40:13']);
  expect([uptime(90_061), clock(6605)]).toEqual(['1d 1h 1m 1s', '01:50:05']);
  expect([hashesPerSecond(999n), hashesPerSecond(2_512_000_000n)]).toEqual([
    '999 H/s',
    '2.51 GH/s',
  ]);
});
