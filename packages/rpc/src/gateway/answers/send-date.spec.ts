import { httpDate } from './send.ts';

test('the date is that of the whole second, whichever way the clock moves', () => {
  const time = Date.UTC(1994, 10, 6, 8, 49, 37);
  expect(httpDate(time)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  expect(httpDate(time + 999)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  expect(httpDate(time + 1000)).toBe('Sun, 06 Nov 1994 08:49:38 GMT');
  expect(httpDate(time)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
});
