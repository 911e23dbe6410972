import { TokenBucket } from './token-bucket.ts';

test("allows one second's bytes at once and then the rate", () => {
  let now = 0;
  const bucket = new TokenBucket(1000, () => now);
  expect(bucket.take(1000)).toBe(0);
  expect(bucket.take(500)).toBe(500);
  now += 500;
  expect(bucket.take(0)).toBe(0);
  expect(bucket.take(2000)).toBe(2000);
  now += 60_000;
  expect(bucket.take(1000)).toBe(0);
  expect(bucket.take(100)).toBe(100);
});

test('the average over time is the rate', () => {
  let now = 0;
  const bucket = new TokenBucket(10_000, () => now);
  let sent = 0;
  while (now < 60_000) {
    sent += 1234;
    now += bucket.take(1234);
  }
  expect(sent / 60).toBeGreaterThan(9_900);
  expect(sent / 61).toBeLessThan(10_100);
});

test('a new rate takes effect and limits old debt to one second', () => {
  let now = 0;
  const bucket = new TokenBucket(10, () => now);
  bucket.take(10_000);
  bucket.setRate(1000);
  expect(bucket.rate).toBe(1000);
  expect(bucket.take(0)).toBe(1000);
  now += 1000;
  expect(bucket.take(0)).toBe(0);
});

test('tolerates a clock that goes back', () => {
  let now = 1_000_000;
  const bucket = new TokenBucket(1000, () => now);
  bucket.take(1000);
  now = 0;
  expect(bucket.take(10)).toBe(10);
});

test('saves up as many seconds as asked', () => {
  let now = 0;
  const bucket = new TokenBucket(100, () => now, 10);
  expect(bucket.take(1000)).toBe(0);
  expect(bucket.take(100)).toBe(1000);
  now += 3_600_000;
  expect(bucket.take(1001)).toBe(10);
});
