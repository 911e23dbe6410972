import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashRows } from '../../testing/hash-rows.ts';
import { RandomChain } from '../../testing/random-chain.ts';
import { openEnvironment } from '../files/environment.ts';
import { BUCKETS, RecentBucket, RECENT_TABLES } from './recent-bucket.ts';
import { uint32Value } from '../tables/keys.ts';
import { openLmdbStore } from '../open.ts';
import { changeOf } from '../../testing/loose-block.ts';
import { StorageError } from '../../storage-error.ts';
import type { LooseBlock } from '../../record-objects.ts';

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'storage-hashes-'));
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

/** Slices and the heights they are written up to, as stored. */
function writtenSlices(): [slice: number, height: number][] {
  const environment = openEnvironment({ path, syncMode: 'fast', readOnly: true });
  try {
    return environment
      .rows('hash_slice', 256)
      .map(({ key, value }) => [Number(key), Buffer.from(value).readUInt32LE()]);
  } finally {
    void environment.close();
  }
}

/** How many transaction ids and key images blocks have. */
const hashCount = (blocks: readonly { txs: readonly unknown[]; keyImages: readonly unknown[] }[]) =>
  blocks.reduce((sum, { txs, keyImages }) => sum + txs.length + keyImages.length, 0);

test('every 80 blocks a slice is written up to the block before the commit, the oldest first', async () => {
  const store = await openLmdbStore({ path });
  const chain = new RandomChain('turns', { txs: 3, v1Share: 0.3, prunableSize: 50 });
  await store.commit(changeOf({ append: chain.blocks(0, 79) }));
  expect(writtenSlices()).toEqual([]);
  await store.commit(changeOf({ append: chain.blocks(79, 1) }));
  expect(writtenSlices()).toEqual([[0, 79]]);
  await store.commit(changeOf({ append: chain.blocks(80, 170) }));
  expect(writtenSlices()).toEqual([
    [0, 79],
    [1, 80],
    [2, 80],
  ]);
  const { held, due } = hashRows(path);
  expect(held.length).toBeGreaterThan(0);
  expect(held).toEqual(due);
  // Hashes popped below a slice's height have to be written again.
  await store.commit({ popTo: 79 });
  expect(writtenSlices().slice(0, 3)).toEqual([
    [0, 79],
    [1, 79],
    [2, 79],
  ]);
  await store.close();
});

test('beside the blocks of the last commit no more wait than may', async () => {
  const limit = 50;
  const store = await openLmdbStore({ path, waitingHashes: limit });
  const chain = new RandomChain('limit', { txs: 4, v1Share: 0.3, prunableSize: 50 });
  const blocks = chain.blocks(0, 60);
  for (let height = 0; height < 60; height += 6) {
    await store.commit(changeOf({ append: blocks.slice(height, height + 6) }));
    const waiting = hashCount(blocks.slice(0, height + 6)) - hashRows(path).held.length;
    const own = hashCount(blocks.slice(height, height + 6));
    expect(waiting).toBeGreaterThanOrEqual(own);
    expect(waiting).toBeLessThanOrEqual(Math.max(limit, own));
  }
  await store.close();
});

/** Numbers of hashes that are collected, and that have moved to their table. */
function collectedAndMoved(): [collected: number, moved: number] {
  const environment = openEnvironment({ path, syncMode: 'fast', readOnly: true });
  try {
    const tables = ['tx_id', 'key_image'] as const;
    const buckets = tables.flatMap((table) =>
      environment
        .rows(RECENT_TABLES[table], Infinity)
        .map(({ value }) => new RecentBucket(table, value).size),
    );
    const moved = tables.reduce((sum, table) => sum + environment.rowCount(table), 0);
    return [buckets.reduce((sum, size) => sum + size, 0), moved];
  } finally {
    void environment.close();
  }
}

test('written hashes are collected, and move to their table when their bucket is full', async () => {
  const store = await openLmdbStore({ path, waitingHashes: 0, recentHashes: 2 * BUCKETS });
  const chain = new RandomChain('buckets', { txs: 40, v1Share: 0.3, prunableSize: 50 });
  const blocks = chain.blocks(0, 40);
  for (let height = 0; height < 40; height += 8)
    await store.commit(changeOf({ append: blocks.slice(height, height + 8) }));
  await store.commit({});
  const [collected, moved] = collectedAndMoved();
  expect(collected + moved).toBe(hashCount(blocks));
  expect(collected).toBeGreaterThan(1000);
  expect(moved).toBeGreaterThan(10);
  expect(hashRows(path).held).toEqual(hashRows(path).due);

  await store.commit({ popTo: 3 });
  expect(collectedAndMoved().reduce((sum, count) => sum + count)).toBe(
    hashCount(blocks.slice(0, 3)),
  );
  expect(hashRows(path).held).toEqual(hashRows(path).due);
  await store.close();
});

test.each([
  ['in small tables', {}],
  ['collected or moved', { recentHashes: 2 * BUCKETS }],
])('hashes %s are refused when they come again', async (_, options) => {
  const store = await openLmdbStore({ path, waitingHashes: 0, ...options });
  const blocks = new RandomChain('again', { txs: 40, v1Share: 0.3, prunableSize: 50 }).blocks(
    0,
    21,
  );
  const next = blocks.pop() as LooseBlock;
  for (let height = 0; height < 20; height += 5)
    await store.commit(changeOf({ append: blocks.slice(height, height + 5) }));
  const codes = new Map<string, number>();
  const [first, ...rest] = next.txs;
  for (const { txs, keyImages } of blocks) {
    const [tx, keyImage] = [txs.at(-1), keyImages.at(-1)];
    const again = [
      ...(keyImage ? [{ ...next, keyImages: [...next.keyImages, keyImage] }] : []),
      ...(first && tx ? [{ ...next, txs: [{ ...first, id: tx.id }, ...rest] }] : []),
    ];
    for (const block of again) {
      const error: unknown = await store.commit(changeOf({ append: [block] })).catch((e) => e);
      const code = error instanceof StorageError ? error.code : 'added';
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  }
  expect(codes).toEqual(
    new Map([
      ['duplicate-key-image', 20],
      ['duplicate-tx', 20],
    ]),
  );
  await store.commit(changeOf({ append: [next] }));
  await store.close();
});

test('small tables need no collecting', async () => {
  const store = await openLmdbStore({ path, waitingHashes: 0 });
  const blocks = new RandomChain('small').blocks(0, 20);
  await store.commit(changeOf({ append: blocks }));
  await store.commit({});
  expect(collectedAndMoved()).toEqual([0, hashCount(blocks)]);
  await store.close();
});

test('slices written beyond the end of the chain mean damage', async () => {
  const store = await openLmdbStore({ path });
  await store.commit(changeOf({ append: new RandomChain('beyond').blocks(0, 5) }));
  await store.close();
  const environment = openEnvironment({ path, syncMode: 'fast', readOnly: false });
  await environment.write([{ table: 'hash_slice', key: 7, value: uint32Value(6) }]);
  await environment.close();
  const refused = expect.objectContaining({ code: 'damaged' });
  await expect(openLmdbStore({ path })).rejects.toEqual(refused);
  await expect(openLmdbStore({ path, readOnly: true })).rejects.toEqual(refused);
});
