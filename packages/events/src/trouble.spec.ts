import { silentLogger, type Logger } from '@monero-node/base';
import { reasonOf, Trouble } from './trouble.ts';

let lines: string[];
let now: number;
beforeEach(() => {
  lines = [];
  now = 0;
});

function troubleWith(grace = 0): Trouble {
  const logger: Logger = {
    ...silentLogger,
    warn: (line) => lines.push(line),
    info: (line) => lines.push(line),
  };
  return new Trouble(
    { warning: (error) => `bad: ${String(error)}`, relief: 'well', grace, now: () => now },
    logger,
  );
}

/** One part fails each second. */
function failFor(trouble: Trouble, milliseconds: number): void {
  for (const end = now + milliseconds; now < end; now += 1000) trouble.failed('a', 'gone');
}

test('the operator is told once, then at growing intervals, and once when it works again', () => {
  const trouble = troubleWith();
  const told = (seconds: number): number => {
    lines.length = 0;
    for (const end = now + seconds * 1000; now < end; now += 1000) trouble.failed('a', 'gone');
    return lines.length;
  };
  expect(told(59)).toBe(1);
  expect(lines[0]).toBe('bad: gone');
  expect(told(60)).toBe(1);
  expect(told(60)).toBe(0);
  expect(told(24 * 3600)).toBeLessThan(30);
  lines.length = 0;
  trouble.worked('a');
  trouble.worked('a');
  expect(lines).toEqual(['well']);
});

test('a part that works says nothing of another that fails', () => {
  const trouble = troubleWith();
  for (; now < 600_000; now += 10_000) {
    trouble.failed('blocks', 'full');
    trouble.worked('pool');
  }
  // At 0, 1, 3 and 7 minutes.
  expect(lines).toEqual(['bad: full', 'bad: full', 'bad: full', 'bad: full']);
  expect(trouble.problem).toBe('bad: full');
  trouble.worked('blocks');
  expect(lines.at(-1)).toBe('well');
  expect(trouble.problem).toBeUndefined();
});

test('each outage has a line and each end one, however soon it follows', () => {
  const trouble = troubleWith();
  for (let outage = 0; outage < 3; outage++) {
    now += 100_000;
    trouble.failed('a', 'gone');
    now += 10_000;
    trouble.failed('a', 'gone');
    trouble.worked('a');
  }
  expect(lines).toEqual(['bad: gone', 'well', 'bad: gone', 'well', 'bad: gone', 'well']);
});

test('what works for a few seconds only has not ended', () => {
  const trouble = troubleWith();
  for (; now < 600_000; now += 5000) {
    trouble.failed('a', 'denied');
    now += 2000;
    trouble.worked('a');
  }
  // At 0, 1, 3 and 7 minutes.
  expect(lines).toEqual(Array.from({ length: 4 }, () => ['bad: denied', 'well']).flat());
});

test('after a long outage, one that begins a few seconds after its end and stays is told soon', () => {
  const trouble = troubleWith();
  failFor(trouble, 8 * 3_600_000);
  trouble.worked('a');
  now += 5000;
  lines.length = 0;
  failFor(trouble, 30_000);
  trouble.worked('a');
  expect(lines).toEqual(['bad: gone', 'well']);
});

test('a failure that comes and goes for ever is told once an hour in the end, which is said', () => {
  const trouble = troubleWith();
  const flap = (milliseconds: number): void => {
    for (const end = now + milliseconds; now < end; now += 10_000) {
      trouble.failed('a', 'full');
      trouble.worked('a');
    }
  };
  flap(3_600_000);
  expect(lines.length).toBeLessThanOrEqual(42);
  expect(lines.filter((line) => line.includes('at most once an hour'))).toHaveLength(1);
  lines.length = 0;
  flap(24 * 3_600_000);
  expect(lines.filter((line) => line.includes('at most once an hour'))).toEqual([]);
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.length).toBeLessThan(52);
  // One that stays then has its line too, at the latest an hour later.
  now += 1000;
  lines.length = 0;
  for (const end = now + 3_600_000; now <= end; now += 1000) trouble.failed('a', 'full');
  expect(lines[0]).toContain('bad: full');
});

test('another reason is told at once, but not the same one with other numbers', () => {
  const trouble = troubleWith();
  trouble.failed('a', 'full at 5');
  trouble.failed('a', 'full at 6');
  trouble.failed('a', 'denied');
  trouble.failed('b', 'denied');
  expect(lines).toEqual(['bad: full at 5', 'bad: denied']);
});

test('what is soon over has no line', () => {
  const trouble = troubleWith(3000);
  trouble.failed('a', 'moved');
  now += 2000;
  trouble.failed('a', 'moved');
  trouble.worked('a');
  now += 2000;
  trouble.failed('a', 'moved');
  expect(lines).toEqual([]);
  now += 3000;
  trouble.failed('a', 'moved');
  expect(lines).toEqual(['bad: moved']);
});

test('the pause is short again in the next outage, also where what is soon over has no line', () => {
  const trouble = troubleWith(3000);
  failFor(trouble, 3_600_000);
  trouble.worked('a');
  for (let times = 0; times < 3; times++) {
    now += 10_000;
    // Is soon over, and then begins in earnest.
    failFor(trouble, 2000);
    trouble.worked('a');
    now += 5000;
    lines.length = 0;
    failFor(trouble, 62_000);
    trouble.worked('a');
    expect(lines).toEqual(['bad: gone', 'well']);
    now += 10_000;
    lines.length = 0;
    failFor(trouble, 66_000);
    trouble.worked('a');
    expect(lines).toEqual(['bad: gone', 'bad: gone', 'well']);
  }
});

test('the reason of a failure is one line without commands of a terminal', () => {
  expect(reasonOf(new Error('gone\n\u001b[2J.'))).toBe('gone??[2J');
});
