import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginShare } from './commit-share.ts';
import { openEnvironment, type Environment } from '../files/environment.ts';
import { uint32Value } from '../tables/keys.ts';

let path: string;
let environment: Environment;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'storage-share-'));
  environment = openEnvironment({ path, syncMode: 'fast', readOnly: false });
});

afterEach(async () => {
  await environment.close();
  rmSync(path, { recursive: true });
});

const write = (value: number): Promise<void> =>
  environment.write([{ table: 'hash_slice', key: 0, value: uint32Value(value) }]);

test('LMDB knows a reader of the oldest commit that followers read when the newest is named, and until they have gone on', async () => {
  await write(0);
  /** Commits that were being read when each commit was named. */
  const read: bigint[][] = [];
  const share = beginShare(environment, () => read.push(environment.readCommits));
  const first = share.commit;
  for (let value = 1; value <= 3; value += 1) await write(value);
  expect(share.commit).toBe(first + 3);
  expect(read).toHaveLength(3);
  for (const commits of read) expect(commits).toContain(BigInt(first));

  share.reached(first);
  expect(environment.readCommits).toContain(BigInt(first));
  share.reached(first + 1);
  expect(environment.readCommits).not.toContain(BigInt(first));
  expect(environment.readCommits).toContain(BigInt(first + 1));

  // The next pin is on the commit that was the newest then, and takes over once all have reached it.
  await write(4);
  share.reached(first + 2);
  expect(environment.readCommits).toContain(BigInt(first + 1));
  share.reached(first + 4);
  expect(environment.readCommits).not.toContain(BigInt(first + 1));
  expect(Math.min(...environment.readCommits.map(Number))).toBeGreaterThanOrEqual(first + 3);
  share.end();
});

test('a commit that cannot be shared is a commit, and the next one is shared', async () => {
  await write(0);
  const named: unknown[] = [];
  const share = beginShare(environment, (failure) => named.push(failure ?? share.commit));
  const first = share.commit;
  const { pinned } = environment;
  const failure = new Error('too many open files');
  environment.pinned = () => {
    throw failure;
  };
  await write(1);
  environment.pinned = pinned;
  await write(2);
  expect(named).toEqual([failure, first + 2]);
  expect(environment.view('hash_slice', 0)).toEqual(uint32Value(2));
  expect(environment.readCommits).toContain(BigInt(first));
  share.end();
});
