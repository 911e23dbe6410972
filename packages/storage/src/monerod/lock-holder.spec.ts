import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore } from '../lmdb/open.ts';
import { holderOfLock } from './lock-holder.ts';

const onLinux = process.platform === 'linux' ? test : test.skip;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-holder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

onLinux('names the process that has a database open, for as long as it has', async () => {
  const data = join(folder, 'data.mdb');
  expect(holderOfLock(data)).toBeUndefined();
  const store = await openLmdbStore({ path: folder });
  expect(holderOfLock(data)).toBe(process.pid);
  await store.close();
  expect(holderOfLock(data)).toBeUndefined();
});

test('a lock file that a killed process left holds nothing', () => {
  writeFileSync(join(folder, 'lock.mdb'), new Uint8Array(8192));
  expect(holderOfLock(join(folder, 'data.mdb'))).toBeUndefined();
});
