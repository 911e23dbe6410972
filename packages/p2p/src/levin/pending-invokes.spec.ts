import { RoundTrip } from './pending-invokes.ts';

test('nothing is known before the first answer', () => {
  expect(new RoundTrip().current).toBeUndefined();
});

test('the shortest of the last eight answers counts', () => {
  const roundTrip = new RoundTrip();
  for (const reading of [80, 41, 300]) roundTrip.add(reading);
  expect(roundTrip.current).toBe(41);
  for (let i = 0; i < 8; i++) roundTrip.add(90 + i);
  expect(roundTrip.current).toBe(90);
});

test('a clock that was set back makes no negative time', () => {
  const roundTrip = new RoundTrip();
  roundTrip.add(-5);
  expect(roundTrip.current).toBe(0);
});
