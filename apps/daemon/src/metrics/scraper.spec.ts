import { silentLogger, Yielder } from '@monero-node/base';
import { createInstruments } from './instruments.ts';
import { Scraper } from './scraper.ts';

const NAME = 'monero_chain_height';
const OTHER = 'monero_p2p_bans';

function setUp(fail = false) {
  const { registry, instruments } = createInstruments();
  const { height } = instruments.chain;
  const state = { now: 0, reads: 0, turns: 0, fail, hang: undefined as Promise<void> | undefined };
  const collect = async (): Promise<void> => {
    await Promise.resolve();
    if (state.fail) throw new Error('no figures');
    state.reads++;
    await state.hang;
    height.set(state.reads);
  };
  const nextSlice = () => Promise.resolve(void state.turns++);
  const lines: string[] = [];
  const collectors = [
    { name: 'chain', metrics: [NAME], collect },
    { name: 'p2p', metrics: [OTHER], collect: () => instruments.p2p.bans.set(7) },
  ];
  const scraper = new Scraper({ registry, metrics: instruments.scrape }, collectors, {
    yielder: () => new Yielder({ sliceMs: 0 }, { nextSlice }),
    now: () => state.now,
    logger: {
      ...silentLogger,
      error: (line) => lines.push(line),
      info: (line) => lines.push(line),
    },
    deadline: 20,
  });
  /** Scrapes and returns the values of three metrics; undefined for one that is left out. */
  const values = async (): Promise<(number | undefined)[]> => {
    const text = (await scraper.scrape()).split('\n');
    state.now += 1000;
    return [NAME, OTHER, 'monero_scrape_collector_success{collector="chain"}'].map((name) => {
      const line = text.find((each) => each.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.slice(name.length + 1));
    });
  };
  return { scraper, state, lines, values };
}

test('values are read for each scrape, and not before', async () => {
  const { scraper, state, values } = setUp();
  expect(state.reads).toBe(0);
  expect(await values()).toEqual([1, 7, 1]);
  expect(await values()).toEqual([2, 7, 1]);
  expect(scraper.contentType).toMatch('text/plain; version=0.0.4');
});

test('scrapes at the same time and shortly after share one reading', async () => {
  const { scraper, state } = setUp();
  const [first, second] = await Promise.all([scraper.scrape(), scraper.scrape()]);
  expect(second).toBe(first);
  state.now = 199;
  expect(await scraper.scrape()).toBe(first);
  expect(state.reads).toBe(1);
  state.now = 200;
  await scraper.scrape();
  expect(state.reads).toBe(2);
});

test('the event loop gets its turns between collectors and between metrics', async () => {
  const { scraper, state } = setUp();
  const text = await scraper.scrape();
  expect(state.turns).toBe(2 + (text.match(/^# TYPE /gm)?.length ?? 0));
});

test('the figures of a collector that fails are left out, which is logged once', async () => {
  const { state, lines, values } = setUp(true);
  const line = 'metrics: chain cannot be read and is left out until it can: no figures';
  expect(await values()).toEqual([undefined, 7, 0]);
  expect(await values()).toEqual([undefined, 7, 0]);
  expect(lines).toEqual([line]);
  state.fail = false;
  expect(await values()).toEqual([1, 7, 1]);
  expect(lines).toEqual([line, 'metrics: chain can be read again']);
});

test('a collector that hangs is left out, is not started again, and is read again when it has ended', async () => {
  const { state, lines, values } = setUp();
  let release = (): void => undefined;
  state.hang = new Promise((resolve) => (release = resolve));
  const line = 'metrics: chain cannot be read and is left out until it can: it does not end';
  expect(await values()).toEqual([undefined, 7, 0]);
  expect(await values()).toEqual([undefined, 7, 0]);
  expect(state.reads).toBe(1);
  expect(lines).toEqual([line]);
  state.hang = undefined;
  release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await values()).toEqual([2, 7, 1]);
  expect(lines).toEqual([line, 'metrics: chain can be read again']);
});

test('the time that the main thread spends is added up', async () => {
  const { scraper, state } = setUp();
  let now = 0;
  Object.defineProperty(state, 'now', { get: () => now++ });
  await scraper.scrape();
  now += 250;
  const [, seconds] =
    /^monero_scrape_busy_seconds_total (\S+)$/m.exec(await scraper.scrape()) ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
});
