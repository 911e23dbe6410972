import { Seats, type SeatLimits, type Seated } from './seats.ts';

interface Guest extends Seated {
  host: string;
  idleness: number;
  since: number;
}

let clock = 0;
const guest = (host: string, idleness = 1): Guest => ({ host, idleness, since: clock++ });

function setUp(limits: Partial<SeatLimits> = {}): { seats: Seats<Guest>; gone: Guest[] } {
  const gone: Guest[] = [];
  const all: SeatLimits = { total: 4, perHost: () => 4, fullHost: 'refuses', ...limits };
  return { gone, seats: new Seats<Guest>(all, (one) => gone.push(one)) };
}

const hosts = (guests: Iterable<Guest>): string => [...guests].map(({ host }) => host).join('');

test('the idlest one gives up its seat; a busy one never does', () => {
  const { seats, gone } = setUp();
  const all = [guest('a', 0), guest('b', 1), guest('c', 2), guest('d', 0)];
  for (const one of all) expect(seats.enter(one)).toBe(true);
  for (const host of ['e', 'f', 'g', 'h']) seats.enter(guest(host, 0));
  expect([hosts(gone), hosts(seats.all)]).toEqual(['cb', 'adef']);
  expect(seats.enter(guest('i', 2))).toBe(false);
});

test('among equally idle ones the host with most seats gives up the one that is idle longest', () => {
  const { seats, gone } = setUp({ total: 5 });
  for (const host of ['a', 'b', 'b', 'c', 'c']) seats.enter(guest(host));
  const second = [...seats.all][1] as Guest;
  second.since = clock++;
  for (const host of ['d', 'e', 'f']) seats.enter(guest(host));
  expect(hosts(gone)).toBe('bca');
  expect(gone).not.toContain(second);
});

test('a full host is turned away or replaces its own idlest one, and nobody else', () => {
  for (const fullHost of ['refuses', 'replaces'] as const) {
    const { seats, gone } = setUp({ perHost: () => 2, fullHost });
    for (const host of ['b', 'a', 'a']) seats.enter(guest(host));
    expect(seats.enter(guest('a'))).toBe(fullHost === 'replaces');
    expect([hosts(gone), seats.count('a'), seats.size]).toEqual([
      ...[fullHost === 'replaces' ? 'a' : '', 2, 3],
    ]);
  }
});

test('a seat that is given back twice is free once', () => {
  const { seats } = setUp({ perHost: () => 1 });
  const one = guest('a');
  seats.leave(one);
  expect(seats.enter(one)).toBe(true);
  expect(seats.isFull('a')).toBe(true);
  seats.leave(one);
  seats.leave(one);
  expect([seats.size, seats.count('a'), seats.isFull('a')]).toEqual([0, 0, false]);
});

test('a seat can be counted for another host that has one left', () => {
  const { seats } = setUp({ perHost: (host) => (host === 'proxy' ? 4 : 1) });
  const move = (one: Guest, host: string): boolean =>
    seats.move(one, host, () => (one.host = host));
  const [first, second] = [guest('proxy'), guest('proxy')];
  seats.enter(first);
  seats.enter(second);
  expect([move(first, 'a'), move(second, 'a'), move(second, 'b')]).toEqual([true, false, true]);
  expect(['proxy', 'a', 'b'].map((host) => seats.count(host))).toEqual([0, 1, 1]);
  expect(move(first, 'proxy')).toBe(true);
  expect(move(second, 'a')).toBe(true);
  seats.leave(second);
  expect(['proxy', 'a', 'b'].map((host) => seats.count(host))).toEqual([1, 0, 0]);
});
