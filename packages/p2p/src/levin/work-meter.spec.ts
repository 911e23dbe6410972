import { WorkMeter } from './work-meter.ts';

/** A meter on clocks of its own, and how often the processor time was read. */
function meterOf() {
  const state = { now: 1000, cpu: 50, reads: 0 };
  const meter = new WorkMeter({
    now: () => state.now,
    cpu: () => {
      state.reads++;
      return state.cpu;
    },
  });
  const pass = (now: number, cpu: number): void => {
    state.now += now;
    state.cpu += cpu;
  };
  return { meter, state, pass };
}

test('a message costs the time that passed, but not more than the processor time', () => {
  const { meter, pass } = meterOf();
  const busy = meter.begin();
  pass(30, 200);
  expect(busy(1)).toBe(30);
  const waiting = meter.begin();
  pass(30, 4);
  expect(waiting(1)).toBe(4);
});

test('processor time of others long before a message is not counted for it', () => {
  const { meter, pass } = meterOf();
  meter.begin();
  pass(1000, 900);
  const spent = meter.begin();
  pass(30, 2);
  expect(spent(1)).toBe(2);
});

test('many short messages read the processor time once in five milliseconds', () => {
  const { meter, state, pass } = meterOf();
  for (let i = 0; i < 1000; i++) {
    const spent = meter.begin();
    pass(0.25, 0.25);
    expect(spent(2)).toBe(0.25);
  }
  expect(state.reads).toBeGreaterThan(40);
  expect(state.reads).toBeLessThan(55);
});

test('a peer cannot hide long work behind a reading that is nearly new', () => {
  const { meter, pass } = meterOf();
  meter.begin();
  pass(5, 0);
  const spent = meter.begin();
  pass(400, 400);
  expect(spent(10)).toBe(400);
});
