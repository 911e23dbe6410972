import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreChild } from '../../testing/child.ts';
import { openLmdbStore } from '../open.ts';
import {
  acquireProcessLock,
  checkNotInUse,
  describeThisProcess,
  isRunning,
  ownerOf,
} from './process-lock.ts';

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'storage-lock-'));
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

const locked = expect.objectContaining({ name: 'StorageError', code: 'locked' });
const owners = () => readdirSync(path).filter((name) => name.startsWith('owner-'));

test('a second process is refused, and may have the store at once when the first is killed', async () => {
  const child = new StoreChild('hold', path);
  expect(await child.line(0)).toBe('height 0');
  await expect(openLmdbStore({ path })).rejects.toEqual(locked);
  const second = new StoreChild('hold', path);
  expect(await second.line(0)).toMatch(/^error locked .* is in use by process \d+; /);
  await child.kill();
  // Only an owner of which that cannot be determined is watched, for four seconds.
  for (const owner of owners()) {
    expect(isRunning(JSON.parse(readFileSync(join(path, owner), 'utf8')))).toBe(false);
  }
  const store = await openLmdbStore({ path });
  await store.close();
  expect(owners()).toEqual([]);
}, 120_000);

test('asking whether a folder is in use writes nothing there', async () => {
  await checkNotInUse(join(path, 'absent'));
  // Left by a process that has ended.
  writeFileSync(join(path, 'owner-1073741824-00'), JSON.stringify({ pid: 2 ** 30 }));
  const lock = await acquireProcessLock(path);
  const before = readdirSync(path);
  await expect(checkNotInUse(path)).rejects.toEqual(locked);
  expect(await ownerOf(path)).toBe(String(process.pid));
  expect(readdirSync(path)).toEqual(before);
  lock.release();
  await checkNotInUse(path);
  expect(await ownerOf(path)).toBeUndefined();
});

test('a copy of a folder in use is refused as what it is', async () => {
  const lock = await acquireProcessLock(path);
  const copy = mkdtempSync(join(tmpdir(), 'storage-lock-copy-'));
  cpSync(path, copy, { recursive: true });
  await expect(checkNotInUse(copy)).rejects.toThrow(
    `${copy} seems to be a copy of the folder that process ${process.pid} uses, made while it ran`,
  );
  // As on a file system that has numbered the files of the folder itself anew.
  await expect(checkNotInUse(copy)).rejects.toThrow(
    `If it is that folder itself, it is in use: stop process ${process.pid} or choose`,
  );
  await expect(checkNotInUse(path)).rejects.toThrow(`is in use by process ${process.pid}; stop`);
  lock.release();
  rmSync(copy, { recursive: true });
});

test('the same process cannot open a store twice, but again after closing it', async () => {
  const store = await openLmdbStore({ path });
  await expect(openLmdbStore({ path })).rejects.toEqual(locked);
  await store.close();
  await (await openLmdbStore({ path })).close();
});

test('of several that start together, one at most gets the lock', async () => {
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => acquireProcessLock(path)),
    );
    const locks = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(locks.length).toBeLessThanOrEqual(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toEqual(locked);
    for (const lock of locks) lock.release();
    expect(owners()).toEqual([]);
  }
}, 120_000);

describe('an owner that is gone', () => {
  const claim = (identity: object | string) => {
    const text = typeof identity === 'string' ? identity : JSON.stringify(identity);
    writeFileSync(join(path, 'owner-4711-00'), text);
  };
  const expectFree = async () => {
    const lock = await acquireProcessLock(path);
    expect(owners()).toHaveLength(1);
    lock.release();
  };

  test('because no process has its id', async () => {
    claim({ ...describeThisProcess(), pid: 2 ** 30 });
    await expectFree();
  });

  test('because its id now belongs to a later process', async () => {
    const own = describeThisProcess();
    if (own.startTime === undefined) return; // a system that doesn't tell start times
    claim({ ...own, startTime: String(Number(own.startTime) - 1) });
    await expectFree();
  });

  test('because it ran before a reboot and its heart no longer beats', async () => {
    claim({ ...describeThisProcess(), bootId: 'another' });
    await expectFree();
  }, 120_000);

  test('because a power cut left its file empty', async () => {
    claim('');
    await expectFree();
  }, 120_000);
});

test('an owner that cannot be looked up is alive as long as its heart beats', async () => {
  const file = join(path, 'owner-4711-00');
  writeFileSync(file, JSON.stringify({ ...describeThisProcess(), bootId: 'another', pid: 4711 }));
  const heart = setInterval(() => {
    utimesSync(file, new Date(), new Date());
  }, 200);
  try {
    await expect(acquireProcessLock(path)).rejects.toEqual(locked);
  } finally {
    clearInterval(heart);
  }
}, 120_000);

test('an owner that was taken for dead writes nothing more', async () => {
  const store = await openLmdbStore({ path });
  for (const name of owners()) rmSync(join(path, name));
  await expect(store.setProperty('a', new Uint8Array())).rejects.toEqual(locked);
  expect(store.property('a')).toBeUndefined();
  await store.close();
});

test('a process knows itself and does not know strangers', () => {
  const own = describeThisProcess();
  expect(isRunning(own)).toBe(own.startTime === undefined ? undefined : true);
  expect(isRunning({ ...own, host: 'elsewhere.example' })).toBeUndefined();
  expect(isRunning({ ...own, pidNamespace: 'pid:[1]' })).toBeUndefined();
});
