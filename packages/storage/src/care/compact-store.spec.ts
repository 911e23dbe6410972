import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore } from '../lmdb/open.ts';
import { numberedBlock, numberedChange } from '../testing/numbered-chain.ts';
import { rawDump } from '../testing/raw-dump.ts';
import { compactStore } from './compact-store.ts';
import { readStoreFacts } from './store-facts.ts';

let path: string;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'storage-compact-'));
  const store = await openLmdbStore({ path });
  for (let from = 0; from < 400; from += 100)
    await store.commit(numberedChange(from, from, from + 100));
  await store.commit({ popTo: 60 });
  await store.close();
});
afterEach(() => rmSync(path, { recursive: true }));

test('a compacted store holds the same rows in a smaller file', async () => {
  const rows = rawDump(path);
  mkdirSync(join(path, 'compacting'));
  writeFileSync(join(path, 'compacting', 'data.mdb'), 'left by a killed process');
  const { before, after } = await compactStore(path);
  expect(after).toBeLessThan(before / 3);
  expect(statSync(join(path, 'data.mdb')).size).toBe(after);
  expect(readdirSync(path)).toEqual(['data.mdb']);
  expect(rawDump(path)).toEqual(rows);
  const store = await openLmdbStore({ path });
  await store.commit(numberedChange(60, 60, 80));
  await store.commit({ popTo: 10 });
  expect(store.height).toBe(10);
  await store.close();
});

test('a store in use is refused', async () => {
  const store = await openLmdbStore({ path });
  const locked = expect.objectContaining({ code: 'locked' });
  await expect(compactStore(path)).rejects.toEqual(locked);
  await expect(readStoreFacts(path)).rejects.toEqual(locked);
  await store.close();
});

test('after a failure the old file is in place', async () => {
  const rows = rawDump(path);
  const failing = compactStore(path, { onStart: (copy) => writeFileSync(copy, 'in the way') });
  await expect(failing).rejects.toEqual(
    expect.objectContaining({ code: 'io', message: expect.stringContaining('File exists') }),
  );
  expect(rawDump(path)).toEqual(rows);
  expect(existsSync(join(path, 'compacting'))).toBe(false);
});

test('a folder without a store is refused', async () => {
  const none = expect.objectContaining({ code: 'io' });
  await expect(compactStore(join(path, 'none'))).rejects.toEqual(none);
  await expect(readStoreFacts(join(path, 'none'))).rejects.toEqual(none);
});

test('the figures are those of the stored blocks', async () => {
  const blocks = Array.from({ length: 60 }, (_, height) => numberedBlock(height));
  const facts = await readStoreFacts(path);
  expect(facts).toMatchObject({
    height: 60,
    top: { height: 59, id: numberedBlock(59).meta.id },
    outputs: blocks.flatMap(({ outputs }) => outputs.flat()).length,
    keyImages: blocks.flatMap(({ keyImages }) => keyImages).length,
    pruningSeed: 0,
    poolTransactions: 0,
    fileSize: statSync(join(path, 'data.mdb')).size,
  });
  const { used, free, pageBytes } = facts.pages;
  expect(free).toBeGreaterThan(used);
  expect((used + free) * pageBytes).toBe(facts.fileSize);
  const { after } = await compactStore(path);
  expect((await readStoreFacts(path)).pages.free).toBe(0);
  expect(after).toBeLessThanOrEqual(used * pageBytes);
});
