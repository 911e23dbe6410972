import { BlockRate } from './progress.ts';

test('measures batches far apart over the time between them', () => {
  let now = 0;
  const rate = new BlockRate(() => now);
  expect(rate.perSecond).toBe(0);
  for (let i = 0; i < 5; i++) {
    now += 40_000;
    rate.add(100);
  }
  expect(rate.perSecond).toBeCloseTo(2.5);
});

test('forgets old batches', () => {
  let now = 0;
  const rate = new BlockRate(() => now);
  for (let i = 0; i < 100; i++) {
    now += 1000;
    rate.add(1);
  }
  for (let i = 0; i < 100; i++) {
    now += 1000;
    rate.add(50);
  }
  expect(rate.perSecond).toBeCloseTo(50);
});

test('reports a plausible speed after a burst', () => {
  const rate = new BlockRate(() => 7);
  rate.add(100);
  expect(rate.perSecond).toBe(100);
});
