import { silentLogger } from '@monero-node/base';
import type { ConnectionInfo } from '@monero-node/p2p';
import { NetworkNotice } from './network-notice.ts';
import { StandingNotice } from './standing-notice.ts';

const MINUTE = 60_000;
let now: number;
let said: string[];
const logger = { ...silentLogger, warn: (line: string) => void said.push(line) };
beforeEach(() => {
  now = 1_000_000;
  said = [];
});
const clock = () => now;

describe('a notice', () => {
  test('is said at once, after 10 minutes, then after twice as long each time, at most a day', () => {
    const times: number[] = [];
    const notice = new StandingNotice(() => times.push(now / MINUTE), 'over', clock);
    now = 0;
    for (; now < 4 * 24 * 60 * MINUTE; now += MINUTE) notice.update('wrong');
    const intervals = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(intervals).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
  });

  test('tells its alarm of each look', () => {
    const told: unknown[] = [];
    const alarm = { update: (...update: unknown[]) => void told.push(update) };
    const notice = new StandingNotice(() => undefined, 'over', clock, { alarm });
    for (const wrong of ['a', 'a', undefined]) notice.update(wrong);
    expect(told).toEqual([
      ['a', 'over'],
      ['a', 'over'],
      [undefined, 'over'],
    ]);
  });

  test('has an end, and begins anew', () => {
    const notice = new StandingNotice((sentence) => said.push(sentence), 'over', clock);
    for (const wrong of [undefined, 'a', 'a', undefined, undefined, 'b']) notice.update(wrong);
    expect(said).toEqual(['a', 'over', 'b']);
  });
});

describe('peers', () => {
  let count: number;
  let state: ConnectionInfo['state'];
  const p2p = {
    connections: () => Array.from({ length: count }, () => ({ state }) as ConnectionInfo),
  };
  beforeEach(() => {
    count = 0;
    state = 'normal';
  });

  test('a connection without a handshake is no peer', () => {
    [count, state] = [3, 'before_handshake'];
    const notice = new NetworkNotice(p2p, () => [], logger, clock);
    notice.check();
    now += 2 * MINUTE;
    notice.check();
    expect(said).toHaveLength(1);
  });

  test('their absence is said after two minutes, and their return', () => {
    const notice = new NetworkNotice(p2p, () => [], logger, clock);
    notice.check();
    now += 119_000;
    notice.check();
    expect(said).toEqual([]);
    now += 1000;
    notice.check();
    expect(said).toEqual([expect.stringMatching(/^No peers for 2 min 0 s: .*--add-peer/)]);
    now += 11 * MINUTE;
    notice.check();
    expect(said[1]).toMatch(/^No peers for 13 min 0 s/);
    count = 1;
    notice.check();
    notice.check();
    expect(said.slice(2)).toEqual(['This node has peers again.']);
  });

  test('a short absence is not worth a word', () => {
    const notice = new NetworkNotice(p2p, () => [], logger, clock);
    for (let i = 0; i < 20; i++) {
      count = i % 2;
      notice.check();
      now += MINUTE;
    }
    expect(said).toEqual([]);
  });

  test('exclusive peers are named', () => {
    const notice = new NetworkNotice(p2p, () => ['10.0.0.1:18080'], logger, clock);
    notice.check();
    now += 2 * MINUTE;
    notice.check();
    expect(said).toEqual([expect.stringContaining('--add-exclusive-node answers: 10.0.0.1:18080')]);
  });
});
