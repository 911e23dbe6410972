import { afterEach, expect, test } from '@jest/globals';
import { BalancerPair, whatBalancersLack, type Balancer } from '../balancers/balancer-pair.ts';
import { describeUnless } from '../harness/skip-without.ts';

describeUnless(whatBalancersLack(), 'an address that two balancers share', () => {
  let pair: BalancerPair | undefined;
  afterEach(() => pair?.stop());

  /** Loses a balancer in one way; the client must be served by the other one, which then keeps the address. */
  const losses: readonly (readonly [string, (balancer: Balancer) => Promise<unknown>])[] = [
    ['HAProxy is killed', (balancer) => balancer.haProxy?.kill() ?? Promise.resolve()],
    [
      'the machine is lost',
      (balancer) => {
        balancer.unplug();
        return Promise.resolve();
      },
    ],
    ['keepalived is stopped', (balancer) => balancer.keepalived?.stop() ?? Promise.resolve()],
  ];

  test.each(losses)(
    'moves to the other one when %s, and clients go on',
    async (what, lose) => {
      pair = await BalancerPair.start();
      const first = await pair.served();
      expect(first.name).toBe('balancer-1');
      const before = pair.answers.length;
      await lose(first);
      const other = pair.balancers[1];
      await other.waitForAddress();
      const second = await pair.served();
      expect(other.hasAddress).toBe(true);
      if (first.isPlugged) expect(second.name).toBe('balancer-2');
      const good = pair.answers.slice(before - 1).filter(({ isGood }) => isGood);
      const gap = Math.max(...good.slice(1).map(({ at }, i) => at - (good[i]?.at ?? at)));
      process.stderr.write(`${what}: clients go on after ${(gap / 1000).toFixed(1)} s\n`);
    },
    120_000,
  );

  test('does not come back by itself, so that clients move once', async () => {
    pair = await BalancerPair.start();
    const [first, second] = pair.balancers;
    await pair.served();
    await first.haProxy?.kill();
    await second.waitForAddress();
    await first.startHaProxy();
    await first.isWell();
    const before = pair.answers.length;
    await pair.served();
    expect([first.hasAddress, second.hasAddress]).toEqual([false, true]);
    expect(pair.answers.slice(before).filter(({ isGood }) => !isGood)).toEqual([]);
  }, 120_000);
});
