import { silentLogger } from '@monero-node/base';
import { ReadyNotice } from './ready-notice.ts';

let now: number;
let reasons: string[];
let said: string[];
let notice: ReadyNotice;
beforeEach(() => {
  now = 0;
  reasons = [];
  said = [];
  const say = (line: string): void => void said.push(line);
  notice = new ReadyNotice(
    () => reasons,
    { ...silentLogger, info: say, warn: say },
    () => now,
  );
});

/** Looks once a second. */
function look(seconds: number): string[] {
  said = [];
  for (let i = 0; i < seconds; i++) {
    now += 1000;
    notice.check();
  }
  return said;
}

test('each change has one line, with its reasons', () => {
  expect(look(5)).toEqual(['This node is ready (/health/ready).']);
  reasons = ['behind', 'low_disk'];
  expect(look(5)).toEqual(['This node is not ready (/health/ready): behind, low_disk.']);
  reasons = ['low_disk'];
  expect(look(5)).toEqual(['This node is not ready (/health/ready): low_disk.']);
  reasons = [];
  expect(look(5)).toEqual(['This node is ready (/health/ready).']);
});

test('what is over at the next look has no line', () => {
  look(2);
  reasons = ['behind'];
  expect(look(1)).toEqual([]);
  reasons = [];
  expect(look(5)).toEqual([]);
});

test('a node that comes and goes has six lines a minute, and the last one is true', () => {
  look(2);
  let lines = 0;
  for (let i = 0; i < 30; i++) {
    reasons = i % 2 === 0 ? ['behind'] : [];
    lines += look(4).length;
  }
  expect(lines).toBeLessThanOrEqual(13);
  reasons = ['old_tip'];
  expect(look(62)).toEqual(['This node is not ready (/health/ready): old_tip.']);
});
