import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { sampled, until } from '@monero-node/base/testing';
import { openLmdbStore } from '../open.ts';
import { createMemoryStore } from '../../memory-store.ts';
import type { SyncMode } from '../options.ts';
import { Environment } from './environment.ts';
import { requireSpace } from './require-space.ts';
import { Random } from '../../testing/random-chain.ts';
import { probesOf } from '../../testing/compliance-pop.ts';
import { dumpStore } from '../../testing/dump.ts';
import { hashRows } from '../../testing/hash-rows.ts';
import { numberedAltBlock, numberedBlock, numberedChange } from '../../testing/numbered-chain.ts';
import { rawDump } from '../../testing/raw-dump.ts';
import { checkCopy } from '../../care/check-copy.ts';

let folder: string;
let path: string;
let target: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storage-backup-'));
  path = join(folder, 'chain');
  target = join(folder, 'copy');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Makes a store of a number of blocks and leaves it open. */
async function makeStore(height: number, syncMode: SyncMode = 'fast') {
  const store = await openLmdbStore({ path, syncMode, waitingHashes: 100 });
  await store.commit(numberedChange(0, 0, height));
  return store;
}

/** Compares a store with one in memory that has the same numbered blocks. */
async function expectNumbered(copy: string): Promise<number> {
  const store = await openLmdbStore({ path: copy });
  const twin = createMemoryStore();
  await twin.commit(numberedChange(0, 0, store.height));
  const heights = Array.from({ length: store.height }, (_, height) => height);
  const probes = probesOf(heights.map(numberedBlock));
  expect(dumpStore(store, probes)).toEqual(dumpStore(twin, probes));
  expect(store.altBlocks()).toEqual([numberedAltBlock(store.height)]);
  const { height } = store;
  await store.close();
  const { held, due } = hashRows(copy);
  expect(held).toEqual(due);
  return height;
}

test('a copy holds every row, and nothing but the data file', async () => {
  const store = await makeStore(40);
  const progress: number[] = [];
  const copy = await store.copyTo(target, {
    onProgress: (done, total) => progress.push(done / total),
  });
  await store.close();
  expect(copy).toEqual({
    height: 40,
    topId: numberedBlock(39).meta.id,
    size: statSync(join(target, 'data.mdb')).size,
  });
  await checkCopy(target, copy);
  expect(readdirSync(target)).toEqual(['data.mdb']);
  expect(progress.at(-1)).toBe(1);
  expect(rawDump(target)).toEqual(rawDump(path));
});

test.each(sampled<SyncMode>(['safe', 'fast', 'fastest'], 3))(
  '%s: copies made while blocks are popped and appended without pause are whole commits',
  async (syncMode) => {
    const store = await makeStore(10, syncMode);
    const random = new Random(syncMode);
    let writing = true;
    let commits = 0;
    const written = (async () => {
      while (writing) {
        const { height } = store;
        const to = height + 1 - random.below(3);
        await store.commit(numberedChange(height, Math.max(0, to - 1 - random.below(6)), to + 1));
        commits++;
      }
    })();
    const copies: { folder: string; height: number; topId: Uint8Array | undefined }[] = [];
    mkdirSync(target);
    for (let round = 0; round < 10; round += 1) {
      const folder = join(target, String(round));
      copies.push({ folder, ...(await store.copyTo(folder)) });
      const wanted = commits + random.below(20);
      await until(() => commits >= wanted);
    }
    writing = false;
    await written;
    await store.close();
    await expectNumbered(path);
    for (const { folder, ...top } of copies) {
      await checkCopy(folder, top);
      expect(await expectNumbered(folder)).toBe(top.height);
    }
    expect(new Set(copies.map(({ height }) => height)).size).toBeGreaterThan(3);
  },
  120_000,
);

test('an image is the file of one commit, whatever is written while it is open', async () => {
  const store = await makeStore(40);
  const image = await store.openImage();
  for (let height = 40; height < 90; height += 5)
    await store.commit(numberedChange(height, height - 3, height + 5));
  mkdirSync(target);
  const bytes = new Uint8Array(image.size);
  for (let at = 0; at < image.size; at += 5000) await image.read(bytes.subarray(at, at + 5000), at);
  expect([image.height, image.topId]).toEqual([40, numberedBlock(39).meta.id]);
  await image.close();
  await image.close();
  await store.close();
  writeFileSync(join(target, 'data.mdb'), bytes);
  await checkCopy(target, { height: 40, topId: numberedBlock(39).meta.id });
  expect(await expectNumbered(target)).toBe(40);
});

test('an aborted copy throws the reason, and the store goes on', async () => {
  const store = await makeStore(400);
  const stop = new AbortController();
  const reason = new Error('stopped');
  const started = store.copyTo(target, {
    signal: stop.signal,
    onProgress: () => stop.abort(reason),
  });
  await expect(started).rejects.toBe(reason);
  expect(existsSync(target)).toBe(false);
  await store.commit({ popTo: 7 });
  await store.close();
});

test('an existing folder is refused and left alone', async () => {
  const store = await makeStore(10);
  mkdirSync(target);
  writeFileSync(join(target, 'data.mdb'), 'of somebody else');
  await expect(store.copyTo(target)).rejects.toEqual(expect.objectContaining({ code: 'io' }));
  await expect(store.copyTo(path)).rejects.toEqual(expect.objectContaining({ code: 'io' }));
  expect(readFileSync(join(target, 'data.mdb'), 'utf8')).toBe('of somebody else');
  await store.commit({ popTo: 7 });
  await store.close();
});

test('a copy of another chain or a truncated one fails the check', async () => {
  const store = await makeStore(40);
  const copy = await store.copyTo(target);
  await store.close();
  const other = { height: 40, topId: numberedBlock(38).meta.id };
  const damaged = expect.objectContaining({ code: 'damaged' });
  await expect(checkCopy(target, other)).rejects.toEqual(damaged);
  await expect(checkCopy(target, { ...copy, height: 41 })).rejects.toEqual(damaged);
  truncateSync(join(target, 'data.mdb'), copy.size / 2);
  await expect(checkCopy(target, copy)).rejects.toEqual(damaged);
});

test('nothing is written when the disk has too little space', () => {
  expect(() => requireSpace(folder, 2 ** 60, 'the backup')).toThrow(
    expect.objectContaining({
      code: 'io',
      systemCode: 'ENOSPC',
      message: expect.stringMatching(
        /^the backup needs [\d,]+ MiB, and the disk that holds .* free$/,
      ),
    }),
  );
  requireSpace(folder, 1, 'the backup');
});

test('an image that cannot be opened leaves no reader behind', async () => {
  const store = await makeStore(3);
  const close = jest.spyOn(Environment.prototype, 'close');
  const failure = () => {
    throw new Error('a fault of the disk');
  };
  for (const spy of [
    jest.spyOn(Environment.prototype, 'readCommits', 'get').mockImplementation(failure),
    jest.spyOn(Environment.prototype, 'get').mockImplementation(failure),
  ]) {
    close.mockClear();
    await expect(store.openImage()).rejects.toThrow('a fault of the disk');
    expect(close).toHaveBeenCalledTimes(1);
    spy.mockRestore();
  }
  const image = await store.openImage();
  expect(image.height).toBe(3);
  await image.close();
  close.mockRestore();
  await store.close();
});
