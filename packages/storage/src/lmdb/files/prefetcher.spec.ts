import type { Environment } from './environment.ts';
import { Prefetcher } from './prefetcher.ts';
import type { TableKey, TableName } from '../tables/tables.ts';

const MEMORY = 1000;

/** An environment of a size that records the rows asked for; `finish` ends the oldest task. */
function recorded(environment: Partial<Environment>) {
  const asked: [table: TableName, keys: readonly TableKey[]][] = [];
  const running: (() => void)[] = [];
  const prefetch = (table: TableName, keys: readonly TableKey[]) =>
    new Promise<void>((resolve) => {
      asked.push([table, keys]);
      running.push(resolve);
    });
  return {
    prefetcher: new Prefetcher({ ...environment, prefetch } as Environment, MEMORY),
    asked,
    running,
    finish: () => running.shift()?.(),
  };
}

const { UV_THREADPOOL_SIZE: usual } = process.env;

beforeEach(() => {
  delete process.env.UV_THREADPOOL_SIZE;
});

afterAll(() => {
  if (usual === undefined) delete process.env.UV_THREADPOOL_SIZE;
  else process.env.UV_THREADPOOL_SIZE = usual;
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('asks for every row once, with three tasks at a time', async () => {
  const { prefetcher, asked, running, finish } = recorded({ follows: false, sizeOnDisk: 501 });
  const keys = Array.from({ length: 200 }, (_, i) => i);
  let isDone = false;
  const read = prefetcher
    .read([
      { table: 'rct_output', keys },
      { table: 'block', keys: [] },
      { table: 'txs', keys: [7] },
    ])
    .then(() => (isDone = true));
  await turn();
  while (running.length > 0) {
    expect(running.length).toBeLessThanOrEqual(3);
    expect(isDone).toBe(false);
    finish();
    await turn();
  }
  await read;
  const of = (wanted: TableName) =>
    asked.flatMap(([table, some]) => (table === wanted ? some : []));
  expect(of('rct_output')).toEqual(keys);
  expect(of('txs')).toEqual([7]);
  expect(asked.every(([, some]) => some.length > 0 && some.length <= 32)).toBe(true);
});

test.each([
  ['half of the memory holds the store', { follows: false, sizeOnDisk: 500 }],
  ['another process writes', { follows: true, sizeOnDisk: 5000 }],
])('reads no rows when %s', async (_, environment) => {
  const { prefetcher, asked } = recorded(environment);
  expect(prefetcher.isUseful).toBe(false);
  await prefetcher.read([{ table: 'txs', keys: [1, 2, 3] }]);
  expect(asked).toEqual([]);
});

test('reads no rows when the file is gone', async () => {
  const environment = {
    follows: false,
    get sizeOnDisk(): number {
      throw new Error('ENOENT');
    },
  };
  await new Prefetcher(environment as Environment, 0).read([{ table: 'txs', keys: [1] }]);
});

test('occupies all threads with a few rows', async () => {
  const { prefetcher, asked, finish } = recorded({ follows: false, sizeOnDisk: 501 });
  const read = prefetcher.read([{ table: 'rct_output', keys: [1, 2, 3, 4, 5, 6, 7] }]);
  await turn();
  expect(asked.map(([, keys]) => keys)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  for (let i = 0; i < 3; i++) finish();
  await read;
});

test.each([
  ['12', 11],
  ['1000', 31],
  ['1', 1],
  ['many', 1],
])('with UV_THREADPOOL_SIZE=%s the tasks are %i', async (size, tasks) => {
  process.env.UV_THREADPOOL_SIZE = size;
  const { prefetcher, running } = recorded({ follows: false, sizeOnDisk: 501 });
  void prefetcher.read([{ table: 'txs', keys: Array.from({ length: 1000 }, (_, i) => i) }]);
  await turn();
  expect(running.length).toBe(tasks);
});

test('stops with the tasks under way when the signal says so', async () => {
  const { prefetcher, asked, finish } = recorded({ follows: false, sizeOnDisk: 501 });
  const stop = new AbortController();
  const keys = Array.from({ length: 1000 }, (_, i) => i);
  const read = prefetcher.read([{ table: 'txs', keys }], stop.signal);
  await turn();
  stop.abort();
  for (let i = 0; i < 3; i++) finish();
  await read;
  expect(asked.flatMap(([, some]) => some)).toEqual(keys.slice(0, 96));
});

test('without a limit, half of the memory of the machine counts', () => {
  const small = { follows: false, sizeOnDisk: 2 ** 20 } as Environment;
  const huge = { follows: false, sizeOnDisk: 2 ** 50 } as Environment;
  expect(new Prefetcher(small).isUseful).toBe(false);
  expect(new Prefetcher(huge).isUseful).toBe(true);
});
