import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createInstruments } from '../instruments.ts';
import { processCollector, ProcessWatch } from './process.ts';

const { registry, instruments } = createInstruments();
const watch = new ProcessWatch(instruments.process);
const collect = processCollector(instruments.process, watch);
const value = async (name: string, end = ''): Promise<number> => {
  const lines = (await registry.getSingleMetricAsString(name)).split('\n');
  return Number(
    lines
      .find((line) => line.startsWith(`${name}${end} `))
      ?.split(' ')
      .at(-1),
  );
};
const nextRound = () => new Promise(setImmediate);

/** Waits until the delay of the event loop has been measured once more. */
async function nextMeasurement(): Promise<void> {
  const { count } = watch.delay;
  while (watch.delay.count === count) await nextRound();
}

function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

beforeAll(() => watch.start());
afterAll(() => watch.stop());

test('memory, processor time and start of this process', async () => {
  await collect();
  expect(await value('monero_process_resident_memory_bytes')).toBeGreaterThan(1e6);
  const used = await value('monero_process_heap_bytes', '{state="used"}');
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThan(await value('monero_process_heap_bytes', '{state="reserved"}'));
  expect(await value('monero_process_cpu_seconds_total', '{mode="user"}')).toBeGreaterThan(0);
  const started = Date.now() / 1000 - process.uptime();
  expect(Math.abs((await value('monero_process_start_time_seconds')) - started)).toBeLessThan(60);
});

test('a block of the event loop is seen', async () => {
  await nextMeasurement();
  blockFor(300);
  await nextMeasurement();
  await collect();
  expect(await value('monero_event_loop_delay_max_seconds')).toBeGreaterThan(0.2);
  expect(await value('monero_event_loop_active_seconds_total')).toBeGreaterThan(0.2);
});

test('delays leave out the pause between two looks, and are measured anew after each scrape', async () => {
  let resets = 0;
  const delay = { max: 320e6, percentile: () => 19e6, reset: () => resets++ };
  await processCollector(instruments.process, { delay } as unknown as ProcessWatch)();
  expect(await value('monero_event_loop_delay_max_seconds')).toBe(0.3);
  expect(await value('monero_event_loop_delay_p99_seconds')).toBe(0);
  expect(resets).toBe(1);
});

test('garbage collections are counted by kind', async () => {
  const count = async (): Promise<number> => {
    const text = await registry.getSingleMetricAsString('monero_process_gc_duration_seconds');
    return Number(/_count\{kind="major"\} (\d+)/.exec(text)?.[1]);
  };
  const before = await count();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  while ((await count()) === before) await nextRound();
  expect(await count()).toBeGreaterThan(before);
});
