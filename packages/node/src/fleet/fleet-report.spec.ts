import { silentLogger } from '@monero-node/base';
import { FleetReport } from './fleet-report.ts';
import type { ChainTip } from './fleet-tip.ts';
import { Member } from './member.ts';
import { Signer } from './statement.ts';

const tipAt = (height: number, work = BigInt(height) * 16n): ChainTip => ({
  height,
  id: height.toString(16).padStart(64, '0'),
  work,
});
const NAME = 'The node 10.0.0.2:18089 of the fleet';
const VOUCHED = tipAt(100);

let now: number;
let said: string[];
let report: FleetReport;
let member: Member;
const signer = new Signer();
beforeEach(() => {
  now = 0;
  said = [];
  member = new Member('10.0.0.2:18089');
  const say = (line: string): void => void said.push(line);
  report = new FleetReport({ ...silentLogger, info: say, warn: say });
});

/** The node answers, or not, for some seconds; returns the lines. */
function pass(seconds: number, tip: ChainTip | undefined, isReady = true): string[] {
  said = [];
  for (let i = 0; i < seconds; i++) {
    now += 1000;
    if (tip === undefined) member.miss();
    else member.takeOwn({ statement: signer.sign({ isReady, tip }), age: 0 }, 'own', now);
    report.look([member], VOUCHED, now);
  }
  return said;
}

test('each change of a node has one line', () => {
  expect(pass(5, tipAt(100))).toEqual([]);
  expect(pass(5, undefined)).toEqual([`${NAME} does not answer: it has no vote.`]);
  expect(pass(5, tipAt(100), false)).toEqual([
    `${NAME} says that it is not ready: it has no vote.`,
  ]);
  expect(pass(5, tipAt(101))).toEqual([`${NAME} is ready again.`]);
});

test('one late answer has no line', () => {
  pass(2, tipAt(100));
  expect([pass(1, undefined), pass(5, tipAt(100))]).toEqual([[], []]);
});

test.each([
  ['a height far above', tipAt(999_999)],
  ['a height far below', tipAt(80)],
  ['much work at a usual height', tipAt(101, 2n ** 100n)],
])('a node that says that it is ready at %s is named', (_, tip) => {
  pass(2, tipAt(100));
  expect(pass(5, tip)).toEqual([
    expect.stringMatching(/says that it is ready with \d+ blocks, far from the 100 that most have/),
  ]);
  expect(pass(5, tipAt(101))).toEqual([`${NAME} is ready again.`]);
});

test('a node that comes and goes has six lines a minute, and the last one is true', () => {
  let lines = 0;
  for (let i = 0; i < 30; i++) lines += pass(4, i % 2 === 0 ? undefined : tipAt(100)).length;
  expect(lines).toBeLessThanOrEqual(13);
  pass(62, tipAt(100));
  expect(pass(62, undefined)).toEqual([`${NAME} does not answer: it has no vote.`]);
});

test('a node that has left is forgotten', () => {
  pass(5, undefined);
  report.look([], VOUCHED, now);
  expect(pass(5, tipAt(100))).toEqual([]);
});
