import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomChain } from '../../testing/random-chain.ts';
import { Environment } from '../files/environment.ts';
import { openLmdbStore } from '../open.ts';
import type { LmdbStoreOptions } from '../options.ts';
import { BUCKETS } from '../hashes/recent-bucket.ts';
import type { TableKey, TableName } from '../tables/tables.ts';
import { changeOf } from '../../testing/loose-block.ts';

const nameOf = (table: TableName, key: TableKey) =>
  `${table} ${typeof key === 'number' ? key : Buffer.from(key).toString('hex')}`;

/** Records which rows are read ahead, and which rows of the scattered tables are looked up. */
function watch() {
  const prefetch = jest.spyOn(Environment.prototype, 'prefetch');
  const view = jest.spyOn(Environment.prototype, 'view');
  const scattered = /^(tx_id|key_image|recent_tx_id|recent_key_image|rct_output|amount_output) /;
  return {
    ahead: () =>
      prefetch.mock.calls.flatMap(([table, keys]) => keys.map((key) => nameOf(table, key))),
    looked: () =>
      view.mock.calls.map((call) => nameOf(...call)).filter((name) => scattered.test(name)),
    clear: () => {
      prefetch.mockClear();
      view.mockClear();
    },
  };
}

const tablesOf = (names: readonly string[]) => [
  ...new Set(names.map((name) => name.split(' ')[0])),
];

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'storage-ahead-'));
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(path, { recursive: true });
});

const options = (): LmdbStoreOptions => ({
  path,
  syncMode: 'fastest',
  memoryBytes: 0,
  waitingHashes: 12,
  recentHashes: 100 * BUCKETS,
});

test('look-ups find every row read ahead', async () => {
  const store = await openLmdbStore(options());
  const chain = new RandomChain('rows ahead', { txs: 20, v1Share: 0.5, prunableSize: 10 });
  const blocks = chain.blocks(0, 30);
  await store.commit(changeOf({ append: blocks }));
  const lists = [...store.amounts()].map(({ amount, count }) => [amount, [0, count - 1]] as const);
  const unknown = Array.from({ length: 20 }, () => chain.random.bytes(32));
  const txIds = [...unknown, ...blocks.flatMap(({ txs }) => txs.map(({ id }) => id))];
  const keyImages = [...unknown, ...blocks.flatMap((block) => block.keyImages)];

  const { ahead, looked, clear } = watch();
  await store.prefetch(() => ({ txIds, keyImages, outputs: new Map(lists) }));
  const read = new Set(ahead());
  clear();
  for (const id of txIds) store.txLocation(id);
  for (const image of keyImages) store.keyImageHeight(image);
  for (const [amount, indices] of lists) for (const index of indices) store.output(amount, index);

  expect(tablesOf(looked()).sort()).toEqual([
    ...['amount_output', 'key_image', 'rct_output'],
    ...['recent_key_image', 'recent_tx_id', 'tx_id'],
  ]);
  expect(looked().filter((name) => !read.has(name))).toEqual([]);
  await store.close();
});

test('a commit that writes hashes finds every bucket and every row that it writes read ahead', async () => {
  const store = await openLmdbStore({ ...options(), recentHashes: 2 * BUCKETS });
  const chain = new RandomChain('buckets ahead', { txs: 60, v1Share: 0, prunableSize: 10 });
  for (let height = 0; height < 40; height += 10)
    await store.commit(changeOf({ append: chain.blocks(height, 10) }));

  const { ahead, looked } = watch();
  const write = jest.spyOn(Environment.prototype, 'write');
  const append = chain.blocks(40, 10);
  // A commit looks up what its blocks bring, and leaves to its caller to read that ahead.
  const txIds = append.flatMap(({ txs }) => txs.map(({ id }) => id));
  const keyImages = append.flatMap((block) => block.keyImages);
  await store.prefetch(() => ({ txIds, keyImages, outputs: new Map() }));
  await store.commit(changeOf({ append }));
  const read = new Set(ahead());
  const buckets = looked().filter((name) => name.startsWith('recent_'));
  expect(buckets.length).toBeGreaterThan(100);
  expect(buckets.filter((name) => !read.has(name))).toEqual([]);
  const written = write.mock.calls
    .flatMap(([ops]) => ops.map(({ table, key }) => nameOf(table, key)))
    .filter((name) => /^(tx_id|key_image) /.test(name));
  expect(tablesOf(written).sort()).toEqual(['key_image', 'tx_id']);
  expect(written.filter((name) => !read.has(name))).toEqual([]);
  await store.close();
});

test('a store that fits into memory reads nothing ahead', async () => {
  const store = await openLmdbStore({ ...options(), memoryBytes: 2 ** 40 });
  const { ahead } = watch();
  const chain = new RandomChain('no rows ahead', { txs: 20, v1Share: 0.5, prunableSize: 10 });
  await store.commit(changeOf({ append: chain.blocks(0, 30) }));
  await store.prefetch(() => {
    throw new Error('nobody needs them');
  });
  expect(ahead()).toEqual([]);
  await store.close();
});
