import { SpeedMeter } from './speed-meter.ts';

test('a meter measures the recent speed and the highest so far', () => {
  let now = 5_000;
  const meter = new SpeedMeter(() => now);
  expect(meter.current).toBe(0);
  for (let i = 0; i < 20; i++) {
    meter.add(1000);
    now += 1000;
  }
  expect(meter.current).toBeCloseTo(900, -2);
  const { max } = meter;
  expect(max).toBeGreaterThanOrEqual(1000);
  now += 30_000;
  expect(meter.current).toBe(0);
  expect(meter.max).toBe(max);
});
