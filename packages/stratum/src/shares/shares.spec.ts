import { silentLogger } from '@monero-node/base';
import type { PowRequest } from '@monero-node/pow';
import { HashRate } from './hash-rate.ts';
import { ShareChecker } from './share-checker.ts';
import { Trust } from './trust.ts';
import { Vardiff } from './vardiff.ts';

/** Returns a clock that a test moves, milliseconds. */
function makeClock() {
  const clock = { time: 1_000_000 };
  return { now: () => clock.time, pass: (ms: number) => void (clock.time += ms) };
}

describe('the difficulty of a rig', () => {
  /** Lets a rig with a hash rate mine for a time; returns the mean time between its shares in the last half, seconds. */
  function mine(rate: number, seconds: number): number {
    const { now, pass } = makeClock();
    const vardiff = new Vardiff(10_000, now);
    let shares = 0;
    let chance = 0.5;
    for (let second = 0; second < seconds; second += 0.1) {
      pass(100);
      // Shares at even distances: each has its luck.
      chance += (rate * 0.1) / vardiff.difficulty;
      for (; chance >= 1; chance--) {
        vardiff.count(vardiff.difficulty);
        if (second > seconds / 2) shares++;
      }
      vardiff.look();
    }
    return seconds / 2 / shares;
  }

  test.each([20, 500, 10_000, 1_000_000])(
    'of %d hashes per second brings a share in 15 s',
    (rate) => {
      expect(mine(rate, 3600)).toBeGreaterThan(9);
      expect(mine(rate, 3600)).toBeLessThan(24);
    },
  );

  test('has bounds, and falls without shares', () => {
    const { now, pass } = makeClock();
    const vardiff = new Vardiff(1, now);
    expect(vardiff.difficulty).toBe(100);
    const other = new Vardiff(10_000, now);
    pass(59_000);
    expect(other.look()).toBe(false);
    pass(1000);
    expect(other.look()).toBe(true);
    expect(other.difficulty).toBe(1250);
    for (let i = 0; i < 10; i++) vardiff.count(1e300);
    pass(1000);
    vardiff.look();
    expect(vardiff.difficulty).toBe(800);
  });
});

test('shares are all checked at first, then one of 16, and those of a liar always', () => {
  let asked = 0;
  const trust = new Trust(() => (asked++ % 16) / 16);
  const checks = (count: number): number => {
    let checked = 0;
    for (let i = 0; i < count; i++) {
      if (!trust.mustCheck()) continue;
      checked++;
      trust.right();
    }
    return checked;
  };
  expect(checks(10)).toBe(10);
  checks(10_000);
  expect(checks(1600)).toBe(100);
  trust.wrong();
  expect(trust.isLiar).toBe(true);
  expect(checks(100)).toBe(100);
});

describe('the checker', () => {
  const request: PowRequest = {
    kind: 'randomx',
    seedHash: new Uint8Array(32),
    blob: new Uint8Array(76),
  };
  const LIMITS = { waitingChecks: 3, opinionsPerMinute: 2 };
  const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

  test('tells right from wrong, one at a time, and lets no more than some wait', async () => {
    let running = 0;
    let most = 0;
    const pow = {
      hash: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return hash(1);
      },
    };
    const checker = new ShareChecker(pow, silentLogger, LIMITS, makeClock().now);
    const verdicts = [hash(1), hash(2), hash(1), hash(1)].map((each) =>
      checker.check(request, each),
    );
    expect(await Promise.all(verdicts)).toEqual(['right', 'wrong', 'right', 'unchecked']);
    expect(most).toBe(1);
    expect(await checker.check(request, hash(2), () => false)).toBe('unchecked');
    expect(await checker.checkBlock(request, hash(2))).toBe('wrong');
  });

  test('asks other engines before it calls a block wrong, but not for ever', async () => {
    const { now, pass } = makeClock();
    let asked = 0;
    const pow = {
      hash: async () => hash(2),
      confirm: async () => {
        asked++;
        return hash(1);
      },
    };
    const checker = new ShareChecker(pow, silentLogger, LIMITS, now);
    expect(await checker.check(request, hash(1))).toBe('wrong');
    expect(await checker.checkBlock(request, hash(2))).toBe('right');
    expect(asked).toBe(0);
    expect(await checker.checkBlock(request, hash(1))).toBe('right');
    for (let i = 0; i < 100; i++) expect(await checker.checkBlock(request, hash(3))).toBe('wrong');
    expect(asked).toBe(4);
    expect(await checker.checkBlock(request, hash(1))).toBe('wrong');
    pass(30_000);
    expect(await checker.checkBlock(request, hash(1))).toBe('right');
    expect(asked).toBe(5);
  });

  test('has the hash of a block remembered when it is what the rig claims', async () => {
    const remembered: Uint8Array[] = [];
    const own = hash(2);
    const pow = {
      hash: async () => own,
      confirm: async () => hash(1),
      remember: (each: Uint8Array) => void remembered.push(each),
    };
    const checker = new ShareChecker(pow, silentLogger, LIMITS, makeClock().now);
    for (const claim of [1, 3]) await checker.checkBlock(request, hash(claim));
    await checker.check(request, hash(2));
    expect(remembered).toEqual([]);
    await checker.checkBlock(request, hash(2));
    expect(remembered).toHaveLength(1);
    expect(remembered[0]).toBe(own);
  });

  test('lets the chain decide about a block on which no engines agree', async () => {
    const pow = { hash: async () => hash(2), confirm: () => Promise.reject(new Error('no two')) };
    const checker = new ShareChecker(pow, silentLogger, LIMITS, makeClock().now);
    expect(await checker.checkBlock(request, hash(1))).toBe('unchecked');
  });

  test('blames nobody when no hash can be computed', async () => {
    const pow = { hash: () => Promise.reject(new Error('no memory')) };
    const checker = new ShareChecker(pow, silentLogger, LIMITS, makeClock().now);
    expect(await checker.check(request, hash(1))).toBe('unchecked');
    expect(await checker.checkBlock(request, hash(1))).toBe('unchecked');
  });
});

test('the hash rate is that of the last ten minutes', () => {
  const { now, pass } = makeClock();
  const rate = new HashRate(now);
  for (let i = 0; i < 60; i++) {
    pass(15_000);
    rate.add(15_000);
  }
  expect(rate.current).toBeGreaterThan(950);
  expect(rate.current).toBeLessThan(1050);
  pass(600_000);
  expect(rate.current).toBe(0);
});
