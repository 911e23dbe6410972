import { StreamSeats } from './stream-seats.ts';

test('a host over its limit loses its oldest stream, and the host with most does when there are too many', () => {
  const seats = new StreamSeats({ perHost: 2, total: 3 });
  const ended: string[] = [];
  const take = (host: string, name: string): (() => void) =>
    seats.take(host, () => ended.push(name));
  take('a', 'a1');
  take('a', 'a2');
  take('a', 'a3');
  expect([ended, seats.total]).toEqual([['a1'], 2]);
  take('b', 'b1');
  take('c', 'c1');
  expect([ended, seats.total]).toEqual([['a1', 'a2'], 3]);
});

test('a seat that is given back twice is free once', () => {
  const seats = new StreamSeats({ perHost: 1, total: 2 });
  const leave = seats.take('a', () => undefined);
  seats.take('b', () => undefined);
  leave();
  leave();
  expect(seats.total).toBe(1);
});
