import { createPortShares } from './port-shares.ts';
import { meanSaturation, SaturationMeter } from './saturation.ts';

let now: number;
let idle: number;
let memory: number[];
let shares: ReturnType<typeof createPortShares>;
let meter: SaturationMeter;

beforeEach(() => {
  now = 1_000_000;
  idle = 0;
  memory = [];
  shares = createPortShares();
  meter = new SaturationMeter({ shares, memory: () => memory, now: () => now, idle: () => idle });
});

/** Lets a minute pass, in each second of which calls and other work take milliseconds. */
function pass(each: { publicCalls?: number; owner?: number; other?: number }): number {
  const { publicCalls = 0, owner = 0, other = 0 } = each;
  for (let second = 0; second < 60; second++) {
    shares.public.charge(publicCalls);
    shares.owner.charge(owner);
    now += 1000;
    idle += Math.max(0, 1000 - publicCalls - owner - other);
    meter.sample();
  }
  return meter.value;
}

test('a node that answers nothing has all of its budget left', () => {
  expect(meter.value).toBe(0);
  expect(pass({})).toBe(0);
  expect(pass({ other: 1000 })).toBe(0);
});

test('clients of restricted ports have 800 ms of a second', () => {
  expect(pass({ publicCalls: 400 })).toBeCloseTo(0.5, 1);
  expect(pass({ publicCalls: 800 })).toBeCloseTo(1, 2);
});

test('the owner has all of it', () => {
  expect(pass({ owner: 400 })).toBeCloseTo(0.4, 2);
  expect(pass({ owner: 1000 })).toBeCloseTo(1, 2);
});

test('what sockets and other work take is not available', () => {
  // As many small calls as the process can take: half of the time goes into HTTP.
  expect(pass({ publicCalls: 500, other: 500 })).toBeCloseTo(1, 1);
  expect(pass({ publicCalls: 250, other: 250 })).toBeCloseTo(0.33, 1);
});

test('a node that is busy with blocks is not full because of one call', () => {
  expect(pass({ publicCalls: 1, other: 999 })).toBeLessThan(0.01);
});

test('memory counts as well', () => {
  memory = [0.1, 0.7];
  expect(pass({ owner: 100 })).toBe(0.7);
  memory = [1.4];
  expect(meter.value).toBe(1);
});

test('a burst of a second does not fill it, and is forgotten within a minute', () => {
  shares.owner.charge(1000);
  now += 1000;
  meter.sample();
  expect(meter.value).toBeLessThan(0.15);
  expect(pass({})).toBeLessThan(0.01);
});

test('a clock that stands still changes nothing', () => {
  shares.owner.charge(1000);
  meter.sample();
  expect(meter.value).toBe(0);
});

test('of several processes the average counts', () => {
  expect(meanSaturation([])).toBe(0);
  expect(meanSaturation([{ saturation: 0.25 }, { saturation: 0.75 }])).toBe(0.5);
});

test('the idle time is that of the event loop by default', async () => {
  const own = new SaturationMeter({ shares, memory: () => [], now: () => now });
  now += 1000;
  own.sample();
  expect(own.value).toBe(0);
});
