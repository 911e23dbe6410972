import { DevClock } from './dev-clock.ts';

test('a clock runs on from the time it was set to', () => {
  let system = 1_000_999;
  const clock = new DevClock(() => system);
  expect(clock.now()).toBe(1000);
  clock.set(5_000_000);
  system += 2500;
  expect(clock.now()).toBe(5_000_002);
  clock.advance(-2);
  expect(clock.now()).toBe(5_000_000);
});

test.each([-1, 0.5, Number.NaN])('%d is no time', (time) => {
  expect(() => new DevClock().set(time)).toThrow(RangeError);
});
