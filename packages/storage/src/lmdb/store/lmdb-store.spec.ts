import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampled } from '@monero-node/base/testing';
import { describeChainStore } from '../../testing/compliance.ts';
import type { MakeStore } from '../../testing/store-harness.ts';
import { hashRows } from '../../testing/hash-rows.ts';
import { numberedBlock } from '../../testing/numbered-chain.ts';
import { rawDump } from '../../testing/raw-dump.ts';
import { readerTurn } from '../../testing/reader-turn.ts';
import { BUCKETS } from '../hashes/recent-bucket.ts';
import { openLmdbStore } from '../open.ts';
import { changeOf } from '../../testing/loose-block.ts';

/** By day the usual ones; twins.long.spec.ts has the others. */
const LIMITS = [
  {},
  { waitingHashes: 12 },
  { waitingHashes: 12, recentHashes: 100 * BUCKETS },
  { waitingHashes: 12, recentHashes: 100 * BUCKETS, memoryBytes: 0 },
];

describe.each(sampled<(typeof LIMITS)[number]>(LIMITS, LIMITS.length))(
  'with the limits %j',
  (limits) => {
    const make: MakeStore = async () => {
      const path = mkdtempSync(join(tmpdir(), 'storage-'));
      const store = await openLmdbStore({ path, ...limits });
      return {
        store,
        rawDump: () => rowsBesideHashes(path),
        async dispose() {
          await store.close();
          expectSoundHashes(path);
          rmSync(path, { recursive: true });
        },
      };
    };
    describeChainStore('lmdb', make, Object.keys(limits).length === 0);
  },
);

/** Which hashes are in their tables depends on how the chain came about, so they are checked apart. */
function rowsBesideHashes(path: string): string {
  expectSoundHashes(path);
  return rawDump(path)
    .filter((line) => !/^(tx_id|key_image|recent_tx_id|recent_key_image|hash_slice) /.test(line))
    .join('\n');
}

function expectSoundHashes(path: string): void {
  const { held, due } = hashRows(path);
  expect(held.join('\n')).toBe(due.join('\n'));
}

test.each([1, 2, 3])(
  'a store of %i blocks is found whole when it is opened again',
  async (height) => {
    const path = mkdtempSync(join(tmpdir(), 'storage-'));
    const blocks = Array.from({ length: height + 1 }, (_, i) => numberedBlock(i));
    const store = await openLmdbStore({ path });
    await store.commit(changeOf({ append: blocks.slice(0, height) }));
    await store.close();

    const reader = await openLmdbStore({ path, readOnly: true });
    expect(reader.height).toBe(height);
    await reader.close();

    const again = await openLmdbStore({ path });
    expect(again.height).toBe(height);
    await again.commit(changeOf({ append: blocks.slice(height) }));
    expect(again.height).toBe(height + 1);
    await again.close();
    rmSync(path, { recursive: true });
  },
);

test('a reader finds hashes that were in their tables and wait again since blocks were popped and appended again', async () => {
  const path = mkdtempSync(join(tmpdir(), 'storage-again-'));
  const options = { path, waitingHashes: 0 };
  const store = await openLmdbStore(options);
  const blocks = Array.from({ length: 20 }, (_, i) => numberedBlock(i));
  const ids = blocks.flatMap(({ txs }) => txs.map(({ id }) => id));
  await store.commit(changeOf({ append: blocks }));
  await store.commit({}); // writes the hashes of the last commit to their tables
  const reader = await openLmdbStore({ ...options, readOnly: true });
  const places = ids.map((id) => store.txLocation(id));
  expect(places).not.toContain(undefined);
  expect(ids.map((id) => reader.txLocation(id))).toEqual(places);

  await store.commit(changeOf({ popTo: 5, append: blocks.slice(5) }));
  await readerTurn();
  expect(reader.height).toBe(20);
  expect(ids.map((id) => reader.txLocation(id))).toEqual(places);
  expect(reader.txIds(undefined, 1000)).toEqual(store.txIds(undefined, 1000));
  for (const each of [store, reader]) await each.close();
  rmSync(path, { recursive: true });
});

test('it says when its thread has a change, which cannot be seen yet, and nothing of one that is refused', async () => {
  const path = mkdtempSync(join(tmpdir(), 'storage-queued-'));
  const store = await openLmdbStore({ path });
  const blocks = Array.from({ length: 4 }, (_, i) => numberedBlock(i));
  const seen: number[] = [];
  const commit = (append: typeof blocks) =>
    store.commit(changeOf({ append }), () => void seen.push(store.height));
  const first = commit(blocks.slice(0, 2)).then(() => seen.push(store.height));
  await Promise.all([first, commit(blocks.slice(2))]);
  expect(seen).toEqual([0, 2, 2]);
  expect(store.height).toBe(4);
  await expect(commit(blocks.slice(3))).rejects.toThrow('claims height 3');
  await store.close();
  await expect(commit(blocks.slice(0, 1))).rejects.toThrow();
  expect(seen).toHaveLength(3);
  rmSync(path, { recursive: true });
});
