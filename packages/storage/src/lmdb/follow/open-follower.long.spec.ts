import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guardEmitter } from '@monero-node/base';
import { sampleSize, until } from '@monero-node/base/testing';
import { StoreCheck } from '../../care/store-check.ts';
import { dumpStore } from '../../testing/dump.ts';
import { numberedChange } from '../../testing/numbered-chain.ts';
import { Random } from '../../testing/random-chain.ts';
import { createMemoryStore } from '../../memory-store.ts';
import { openFollower } from './open-follower.ts';
import { openLmdbStore } from '../open.ts';

const FOLLOWERS = 3;
/** Events that the test waits for before it looks at the store. */
const KILLS = sampleSize({ usual: 3, whole: 5 });
const REPORTS = sampleSize({ usual: 30, whole: 60 });
const MOST_MS = 90_000;

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'storage-follower-'));
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

/** A process that follows the store, and what it has said. */
interface Follower {
  readonly child: ChildProcess;
  reading: number;
  reports: number;
  isReady: boolean;
}

const FILE = fileURLToPath(new URL('../../testing/follower-child.ts', import.meta.url));
const HOOKS = new URL('../../testing/register-ts.mjs', import.meta.url).href;

test('followers that are killed at any moment see whole commits, and the store stays whole', async () => {
  const store = await openLmdbStore({ path, waitingHashes: 100 });
  const followers = new Set<Follower>();
  const faults: string[] = [];
  const random = new Random('followers');
  let kills = 0;
  let reports = 0;
  let isGoing = true;
  const share = await store.shareCommits(() => {
    for (const { child } of followers) if (child.connected) child.send(share.commit);
  });
  const oldest = (): number =>
    [...followers].reduce((least, { reading }) => Math.min(least, reading), share.commit);
  const start = (): void => {
    const child = guardEmitter(
      fork(FILE, [path], {
        execArgv: ['--import', HOOKS],
        env: { ...process.env, NODE_OPTIONS: '' },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
    const follower: Follower = { child, reading: share.commit, reports: 0, isReady: false };
    followers.add(follower);
    child.on('message', ({ commit, fault }: { commit: number; fault?: string }) => {
      if (fault !== undefined) faults.push(fault);
      follower.reading = Math.max(follower.reading, commit);
      if (commit > 0) {
        follower.reports++;
        reports++;
      }
      share.reached(oldest());
    });
    child.once('close', (code, signal) => {
      if (signal !== 'SIGKILL') faults.push(`a follower ended with status ${code}`);
      followers.delete(follower);
      share.reached(oldest());
      if (isGoing) start();
    });
  };
  const end = Date.now() + MOST_MS;
  for (let count = 0; count < FOLLOWERS; count++) start();
  const killing = setInterval(() => {
    const [victim] = [...followers].filter(({ reports: said }) => said > random.below(6));
    if (victim === undefined) return;
    kills++;
    victim.child.kill('SIGKILL');
  }, 150);
  while ((kills < KILLS || reports < REPORTS) && Date.now() < end) {
    const popTo = Math.max(0, store.height - random.below(10));
    const to = Math.min(popTo + 1 + random.below(12), 60);
    await store.commit(numberedChange(store.height, popTo, Math.max(to, popTo)));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  clearInterval(killing);
  isGoing = false;
  for (const { child } of followers) child.kill('SIGKILL');
  await until(() => followers.size === 0);
  const { height } = store;
  share.end();
  expect(faults).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  expect(reports).toBeGreaterThanOrEqual(REPORTS);
  await store.close();
  const memory = createMemoryStore();
  await memory.commit(numberedChange(0, 0, height));
  const again = await openLmdbStore({ path, waitingHashes: 100 });
  expect(dumpStore(again)).toEqual(dumpStore(memory));
  await again.close();
  const check = await StoreCheck.open(path);
  expect(check.height).toBe(height);
  await check.close();
}, 120_000);

test('the pages of a commit are kept until it is let go of', async () => {
  const store = await openLmdbStore({ path });
  const named: number[] = [];
  const share = await store.shareCommits(() => named.push(share.commit));
  const first = share.commit;
  await store.commit(numberedChange(0, 0, 2));
  await store.setProperty('name', new Uint8Array([1]));
  expect(named).toEqual([first + 1, first + 2]);
  share.reached(first + 2);
  share.end();
  await store.commit(numberedChange(2, 1, 2));
  expect(named).toHaveLength(2);
  await store.close();
});

test('a process that has loaded the lmdb package with its locks does not follow', async () => {
  const store = await openLmdbStore({ path });
  await expect(openFollower(path)).rejects.toThrow('openWithoutLocks was not called');
  await store.close();
});
