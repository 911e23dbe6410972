import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import { BackgroundControl } from './background.ts';
import { HashRate } from './hash-rate.ts';
import { isOnBattery, thisMachine } from './machine.ts';
import { backgroundSettings, DEFAULT_BACKGROUND } from './background-settings.ts';
import { ThreadCount } from './thread-count.ts';

/** A machine whose clock the tests advance; times in milliseconds. */
function fakeMachine() {
  const state = { total: 0, idle: 0, own: 0, onBattery: false as boolean | undefined };
  return {
    state,
    pass: (idle: number, own = 0) => {
      state.total += 1000;
      state.idle += 10 * idle;
      state.own += 10 * own;
    },
    machine: {
      processorTimes: () => ({ total: state.total, idle: state.idle }),
      processTime: () => state.own,
      isOnBattery: () => Promise.resolve(state.onBattery),
    },
  };
}

const control = (machine: ReturnType<typeof fakeMachine>['machine'], ignoreBattery = false) =>
  new BackgroundControl({ ...DEFAULT_BACKGROUND, ignoreBattery }, machine, silentLogger);

test('mines when the machine is idle enough and rests when others need it', async () => {
  const { machine, pass } = fakeMachine();
  const background = control(machine);
  expect(background.interval).toBe(10_000);
  pass(89);
  await background.look();
  expect(background.isMining).toBe(false);
  pass(90);
  await background.look();
  expect(background.isMining).toBe(true);
  // The processor time that mining takes counts as idle.
  pass(50, 40);
  await background.look();
  expect(background.isMining).toBe(true);
  pass(49, 40);
  await background.look();
  expect(background.isMining).toBe(false);
});

test('adjusts its rests until mining takes its share', async () => {
  const { machine, pass } = fakeMachine();
  const background = control(machine);
  pass(100);
  await background.look();
  expect(background.rest).toBe(400);
  pass(90, 10);
  await background.look();
  expect(background.rest).toBe(370);
  pass(30, 70);
  await background.look();
  expect(background.rest).toBe(400);
  for (let i = 0; i < 20; i++) {
    pass(99, 1);
    await background.look();
  }
  expect(background.rest).toBe(5);
});

test.each([
  [true, false, false],
  [undefined, false, false],
  [false, false, true],
  [true, true, true],
  [undefined, true, true],
])('on battery %s, ignored %s: mines %s', async (onBattery, ignored, works) => {
  const { machine, pass, state } = fakeMachine();
  const background = control(machine, ignored);
  state.onBattery = onBattery;
  pass(100);
  await background.look();
  expect(background.isMining).toBe(works);
  if (!works || ignored) return;
  state.onBattery = true;
  pass(100);
  await background.look();
  expect(background.isMining).toBe(false);
});

test('replaces settings out of bounds by the defaults', () => {
  const wild = { minIdleSeconds: 9, idleThreshold: 100, target: 0 };
  expect(backgroundSettings(wild)).toEqual(DEFAULT_BACKGROUND);
  const own = { minIdleSeconds: 3600, idleThreshold: 0, target: 100 };
  expect(backgroundSettings(own)).toEqual(own);
});

test.each<[string, Record<string, Record<string, string>>, boolean | undefined]>([
  ['nothing', {}, undefined],
  ['mains on', { AC: { type: 'Mains\n', online: '1\n' } }, false],
  [
    'mains off, discharging',
    { AC: { type: 'Mains', online: '0' }, BAT0: { type: 'Battery', status: 'Discharging\n' } },
    true,
  ],
  ['charging', { BAT0: { type: 'Battery', status: 'Charging' } }, false],
  ['full', { BAT0: { type: 'Battery', status: 'Full' } }, false],
  ['unknown', { BAT0: { type: 'Battery', status: 'Unknown' } }, undefined],
  [
    'a discharging battery beside mains',
    { A: { type: 'Battery', status: 'Discharging' }, B: { type: 'Mains', online: '1' } },
    false,
  ],
])('recognizes battery power: %s', async (_, supplies, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'power-'));
  for (const [name, files] of Object.entries(supplies)) {
    mkdirSync(join(folder, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text);
  }
  expect(await isOnBattery(folder)).toBe(expected);
  expect(await isOnBattery(join(folder, 'none'))).toBeUndefined();
  rmSync(folder, { recursive: true });
});

test('measures the processor time of this machine and process', () => {
  const { total, idle } = thisMachine.processorTimes();
  expect(total).toBeGreaterThan(0);
  expect(idle).toBeLessThanOrEqual(total);
  expect(thisMachine.processTime()).toBeGreaterThan(0);
});

test('hash rate: reports the last interval and the average of nineteen', () => {
  let now = 0;
  const rate = new HashRate(() => now);
  for (let i = 1; i <= 25; i++) {
    rate.add(i);
    now += 999;
    rate.measure();
  }
  expect(rate.current).toBe(25);
  expect(rate.average).toBe((7 + 25) / 2);
  expect(rate.total).toBe((25 * 26) / 2);
});

test('thread count: adds a thread while it gains two percent', () => {
  const rates = [0, 100, 190, 193, 300];
  const count = new ThreadCount(4, 0, 0);
  let hashes = 0;
  for (let now = 1000; now <= 60_000; now += 1000) {
    hashes += rates[count.count] ?? 0;
    count.update(now, hashes);
  }
  expect(count).toMatchObject({ count: 2, isFound: true });
  const most = new ThreadCount(2, 0, 0);
  most.update(10_000, 1000);
  expect(most).toMatchObject({ count: 2, isFound: false });
  most.update(20_000, 3000);
  expect(most).toMatchObject({ count: 2, isFound: true });
});
