import { Heartbeat, type Pulse } from './heartbeat.ts';

let now = 0;
let questions = 0;
let heartbeat: Heartbeat;
beforeEach(() => {
  now = 0;
  questions = 0;
  heartbeat = new Heartbeat(
    () => now,
    () => questions++,
  );
});

/** Looks ten times a second. Returns the times at which what is known changed. */
function watch(milliseconds: number): [Pulse, number][] {
  const changes: [Pulse, number][] = [];
  for (const end = now + milliseconds; now < end;) {
    now += 100;
    const pulse = heartbeat.look();
    if (pulse !== (changes.at(-1)?.[0] ?? 'alive')) changes.push([pulse, now]);
  }
  return changes;
}

test('a process that says nothing is silent within 3 seconds, hangs within 10, and is dead after 30', () => {
  expect(watch(32_000)).toEqual([
    ['silent', 2_500],
    ['hung', 8_000],
    ['dead', 30_500],
  ]);
  expect(questions).toBe(1);
});

test('a process that is slow for a second is alive', () => {
  for (let i = 0; i < 10; i++) {
    expect(watch(1_500)).toEqual([]);
    heartbeat.heard();
  }
  expect(questions).toBe(10);
});

test('whatever it says brings a silent process back', () => {
  expect(watch(4_000)).toEqual([['silent', 2_500]]);
  heartbeat.heard();
  expect(heartbeat.look()).toBe('alive');
  expect(watch(2_400)).toEqual([]);
});

test('time in which this process was held up is not the silence of the other', () => {
  watch(600);
  now += 60_000;
  expect(heartbeat.look()).toBe('alive');
  heartbeat.heard();
  expect(watch(2_400)).toEqual([]);
});
