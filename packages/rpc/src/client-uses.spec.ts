import { ClientUses } from './client-uses.ts';

const call = (address: string | undefined, bytes = 100, secondsToAnswer = 0.5) => ({
  address,
  bytes,
  secondsToAnswer,
});

function newUses() {
  const clock = { now: 1000 };
  return { clock, uses: new ClientUses(() => clock.now) };
}

test('sums the calls of each client, by what is asked for', () => {
  const { clock, uses } = newUses();
  expect(uses.since).toBeUndefined();
  uses.add(call('192.0.2.1', 10, 3));
  clock.now = 2000;
  uses.add(call('192.0.2.2', 900, 1));
  for (let i = 0; i < 3; i += 1) uses.add(call('192.0.2.3', 1, 0.25));
  expect(uses.since).toBe(1000);
  expect(uses.top(9)).toEqual([
    { host: '192.0.2.1', calls: 1, bytes: 10, seconds: 3 },
    { host: '192.0.2.2', calls: 1, bytes: 900, seconds: 1 },
    { host: '192.0.2.3', calls: 3, bytes: 3, seconds: 0.75 },
  ]);
  const first = (order: 'calls' | 'bytes') => uses.top(1, order).map(({ host }) => host);
  expect([first('calls'), first('bytes')]).toEqual([['192.0.2.3'], ['192.0.2.2']]);
});

test('an IPv6 client is its /64, and an IPv4 client in IPv6 form its address', () => {
  const { uses } = newUses();
  uses.add(call('2001:db8:1:2::1'));
  uses.add(call('2001:db8:1:2:ffff::9'));
  uses.add(call('2001:db8:1:3::1'));
  expect(uses.top(9).map(({ host, calls }) => [host, calls])).toEqual([
    ['2001:db8:1:2::/64', 2],
    ['2001:db8:1:3::/64', 1],
  ]);
});

test('calls of the console are not counted', () => {
  const { uses } = newUses();
  uses.add(call(undefined));
  expect([uses.top(9), uses.since]).toEqual([[], undefined]);
});

test('a flood of addresses makes the list no longer, and hides nobody who costs much', () => {
  const { uses } = newUses();
  const rounds = 50_000;
  for (let i = 0; i < rounds; i += 1) {
    uses.add(call(`10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`, 1, 0.001));
    if (i % 500 === 0) uses.add(call('192.0.2.1', 1, 0.1));
  }
  const all = uses.top(Infinity);
  expect(all.length).toBeLessThan(2000);
  expect(all[0]).toMatchObject({ host: '192.0.2.1', calls: rounds / 500 });
  const listed = all.reduce((sum, { calls }) => sum + calls, 0);
  expect(listed + uses.others.calls).toBe(rounds + rounds / 500);
});

test('begins anew', () => {
  const { clock, uses } = newUses();
  for (let i = 0; i < 3000; i += 1) uses.add(call(`10.0.${i >> 8}.${i & 255}`));
  uses.clear();
  clock.now = 5000;
  uses.add(call('192.0.2.1'));
  expect([uses.top(9).length, uses.since, uses.others.calls]).toEqual([1, 5000, 0]);
});
