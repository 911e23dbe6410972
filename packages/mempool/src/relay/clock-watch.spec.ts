import { toHex } from '@monero-node/codec';
import { ClockWatch } from './clock-watch.ts';
import { spend, startTestPool } from '../testing/test-pool.ts';

test('notices that the clock was set, but not that time passes', () => {
  const time = { now: 1_000, elapsed: 0 };
  const watch = new ClockWatch(
    () => time.now,
    () => time.elapsed,
  );
  const pass = (seconds: number, jump = 0): number => {
    time.elapsed += seconds * 1000;
    time.now += seconds + jump;
    return watch.jump();
  };
  expect([pass(0), pass(1), pass(3_600)]).toEqual([0, 0, 0]);
  expect([pass(1, 3_600), pass(1), pass(1, -7_200), pass(0)]).toEqual([3_600, 0, -7_200, 0]);
  expect(pass(1, 1)).toBe(0);
});

test.each([-3_600, 3_600])(
  'a clock set by %i seconds neither holds a relay nor hastens one',
  async (jump) => {
    let elapsed = 0;
    const { pool, clock, relayed } = await startTestPool({ elapsed: () => elapsed });
    const pass = (seconds: number): void => {
      elapsed += seconds * 1000;
      clock.now += seconds;
      pool.relayDue();
    };
    const { blob, id } = spend(2);
    await pool.add(blob, { source: 'local' });
    pool.markRelayed([id], 'stem');
    relayed.length = 0;
    pass(5);
    clock.now += jump;
    pass(5);
    expect(relayed).toEqual([]);
    pass(120);
    expect(relayed).toEqual([[[toHex(id)], 'fluff', undefined]]);
    expect(clock.now - (pool.transaction(id)?.receiveTime ?? 0)).toBe(130);
  },
);
