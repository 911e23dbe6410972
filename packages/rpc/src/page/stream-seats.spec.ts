import { StreamSeats } from './stream-seats.ts';

test('the streams of a host are limited, and all hosts together have a limit', () => {
  const seats = new StreamSeats({ perHost: 2, total: 3 });
  const leave = seats.take('a');
  expect(leave).toBeDefined();
  expect(seats.take('a')).toBeDefined();
  expect(seats.take('a')).toBeUndefined();
  expect(seats.take('b')).toBeDefined();
  expect(seats.take('c')).toBeUndefined();
  leave?.();
  leave?.();
  expect(seats.total).toBe(2);
  expect(seats.take('c')).toBeDefined();
  expect(seats.take('a')).toBeUndefined();
});
