import { Yielder } from '@monero-node/base';
import { Gauge, Registry } from 'prom-client';
import { Scraper } from './scraper.ts';

function setUp(fail = false) {
  const registry = new Registry();
  const gauge = new Gauge({ name: 'monero_x', help: 'An x.', registers: [registry] });
  const state = { now: 0, reads: 0, turns: 0, fail };
  const collect = async (): Promise<void> => {
    await Promise.resolve();
    if (state.fail) throw new Error('cannot be read');
    gauge.set(++state.reads);
  };
  const nextSlice = () => Promise.resolve(void state.turns++);
  const scraper = new Scraper(registry, [collect], {
    yielder: () => new Yielder({ sliceMs: 0 }, { nextSlice }),
    now: () => state.now,
  });
  return { scraper, state };
}

const text = (value: number) => `# HELP monero_x An x.\n# TYPE monero_x gauge\nmonero_x ${value}\n`;

test('values are read for each scrape, and not before', async () => {
  const { scraper, state } = setUp();
  expect(state.reads).toBe(0);
  expect(await scraper.scrape()).toBe(text(1));
  state.now += 1000;
  expect(await scraper.scrape()).toBe(text(2));
  expect(scraper.contentType).toMatch('text/plain; version=0.0.4');
});

test('scrapes at the same time and shortly after share one reading', async () => {
  const { scraper, state } = setUp();
  expect(await Promise.all([scraper.scrape(), scraper.scrape()])).toEqual([text(1), text(1)]);
  state.now = 199;
  expect(await scraper.scrape()).toBe(text(1));
  state.now = 200;
  expect(await scraper.scrape()).toBe(text(2));
});

test('the event loop gets its turns between metrics', async () => {
  const { scraper, state } = setUp();
  await scraper.scrape();
  expect(state.turns).toBe(2);
});

test('a failure is not remembered', async () => {
  const { scraper, state } = setUp(true);
  await expect(scraper.scrape()).rejects.toThrow('cannot be read');
  state.fail = false;
  expect(await scraper.scrape()).toBe(text(1));
});
