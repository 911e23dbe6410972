import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberedChange } from '../testing/numbered-chain.ts';
import { openLmdbStore } from './open.ts';

let path: string;
let dataFile: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'storage-files-'));
  dataFile = join(path, 'data.mdb');
});
afterEach(() => rmSync(path, { recursive: true }));

/** Makes a store of five blocks. */
async function makeStore(): Promise<void> {
  const store = await openLmdbStore({ path });
  await store.commit(numberedChange(0, 0, 5));
  await store.close();
}

const failing = (code: string, message: RegExp) =>
  expect.objectContaining({ name: 'StorageError', code, message: expect.stringMatching(message) });

test('an empty data file is refused, and kept', async () => {
  await makeStore();
  truncateSync(dataFile, 0);
  const refused = failing('damaged', /data\.mdb is empty: .* delete it to begin a new chain/);
  await expect(openLmdbStore({ path })).rejects.toEqual(refused);
  await expect(openLmdbStore({ path })).rejects.toEqual(refused);
  await expect(openLmdbStore({ path, readOnly: true })).rejects.toEqual(failing('io', /no store/));
  rmSync(dataFile);
  const store = await openLmdbStore({ path });
  expect(store.height).toBe(0);
  await store.close();
});

test('a new store is made in one step, and a folder that a killed process left is removed', async () => {
  mkdirSync(join(path, 'new'));
  writeFileSync(join(path, 'new', 'data.mdb'), '');
  const notices: string[] = [];
  const store = await openLmdbStore({ path, onNotice: (notice) => notices.push(notice) });
  await store.commit(numberedChange(0, 0, 5));
  await store.close();
  expect(notices).toEqual([]);
  expect(existsSync(join(path, 'new'))).toBe(false);
  expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);
});

test('a store without its lock file is opened', async () => {
  await makeStore();
  rmSync(join(path, 'lock.mdb'));
  const store = await openLmdbStore({ path });
  expect(store.height).toBe(5);
  await store.close();
});

test('a new chain beside other files is mentioned', async () => {
  await makeStore();
  rmSync(dataFile);
  writeFileSync(join(path, 'notes.txt'), 'mine');
  const notices: string[] = [];
  const store = await openLmdbStore({ path, onNotice: (notice) => notices.push(notice) });
  await store.close();
  expect(notices).toEqual([
    `${path} has no data.mdb but other files (lock.mdb, notes.txt): a new chain begins there`,
  ]);
  const again = await openLmdbStore({ path, onNotice: (notice) => notices.push(notice) });
  await again.close();
  expect(notices).toHaveLength(1);
});
