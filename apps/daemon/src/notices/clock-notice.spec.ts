import { silentLogger } from '@monero-node/base';
import { ClockNotice } from './clock-notice.ts';

const MINUTE = 60_000;
let now: number;
let unix: number;
let said: string[];
let notice: ClockNotice;
beforeEach(() => {
  now = 0;
  unix = 1_800_000_000;
  said = [];
  const logger = { ...silentLogger, warn: (line: string) => void said.push(line) };
  notice = new ClockNotice(
    () => unix,
    logger,
    () => now,
  );
});

/** Lets new blocks arrive. @param ahead seconds by which they are ahead of the clock */
function arrive(count: number, ahead: number): void {
  for (let i = 0; i < count; i++) notice.arrived(unix + ahead);
  notice.check();
}

test('a few blocks say nothing', () => {
  arrive(4, 3600);
  expect(said).toEqual([]);
});

test('a slow clock is reported, and its end', () => {
  arrive(5, 301);
  expect(said).toEqual([expect.stringMatching(/^This computer's clock is about 5 min 1 s slow/)]);
  arrive(6, 0);
  expect(said[1]).toMatch(/agrees with the times of new blocks again/);
});

test('a fast clock is reported; blocks are always a little old', () => {
  arrive(11, -420);
  expect(said).toEqual([]);
  arrive(11, -3600);
  expect(said).toEqual([expect.stringMatching(/^This computer's clock is about 1 h 0 min fast/)]);
});

test('a miner with a wrong clock does not matter', () => {
  arrive(5, 7000);
  said = [];
  arrive(6, -30);
  arrive(5, 7000);
  expect(said.slice(1)).toEqual([]);
});

test('refused blocks mean that the clock is more than two hours slow', () => {
  notice.refused();
  notice.refused();
  notice.check();
  expect(said).toEqual([]);
  notice.refused();
  notice.check();
  expect(said).toEqual([
    expect.stringMatching(/more than two hours ahead of this computer's clock \(2027-01-15T08:00/),
  ]);
  notice.arrived(unix);
  notice.check();
  expect(said[1]).toMatch(/agrees/);
});

test('refused blocks are forgotten', () => {
  for (let i = 0; i < 5; i++) {
    notice.refused();
    now += 10 * MINUTE;
    notice.check();
  }
  expect(said).toEqual([]);
});
