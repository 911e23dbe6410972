import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random, RandomChain } from '../../testing/random-chain.ts';
import { AbsentHashes } from './absent-hashes.ts';
import { openLmdbStore } from '../open.ts';
import { changeOf } from '../../testing/loose-block.ts';
import type { LooseBlock } from '../../record-objects.ts';

test('remembers the newest hashes, of each table for itself', () => {
  const absent = new AbsentHashes(100);
  const random = new Random('absent');
  const hashes = Array.from({ length: 250 }, () => random.bytes(32));
  for (const hash of hashes) absent.add('key_image', hash);
  const known = hashes.map((hash) => absent.has('key_image', hash));
  expect(known.slice(100)).toEqual(Array.from({ length: 150 }, () => true));
  expect(known.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => false));
  expect(hashes.some((hash) => absent.has('tx_id', hash))).toBe(false);
});

test('forgets a slice of both tables', () => {
  const absent = new AbsentHashes();
  const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  for (const table of ['tx_id', 'key_image'] as const) {
    absent.add(table, a);
    absent.add(table, b);
  }
  absent.forget(1);
  for (const table of ['tx_id', 'key_image'] as const) {
    expect(absent.has(table, a)).toBe(false);
    expect(absent.has(table, b)).toBe(true);
  }
});

describe('a store whose hashes were looked up before they were stored', () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'storage-absent-'));
  });
  afterEach(() => {
    rmSync(path, { recursive: true });
  });

  test.each([0, 60])('finds them afterwards, with %i that may wait', async (waitingHashes) => {
    const store = await openLmdbStore({ path, waitingHashes });
    const heights = (blocks: readonly LooseBlock[]) =>
      blocks.flatMap(({ txs, keyImages }) => [
        ...txs.map(({ id }) => store.txLocation(id)?.height),
        ...keyImages.map((image) => store.keyImageHeight(image)),
      ]);
    const chain = new RandomChain('looked up', {
      txs: 12,
      v1Share: 0.3,
      prunableSize: 50,
      crowded: true,
    });
    const blocks = chain.blocks(0, 40);
    const held = (block: LooseBlock) => block.txs.length + block.keyImages.length;
    const expected = blocks.flatMap((block) => Array<number>(held(block)).fill(block.meta.height));
    for (let height = 0; height < 40; height += 4) {
      expect(new Set(heights(blocks.slice(height)))).toEqual(new Set([undefined]));
      await store.commit(changeOf({ append: blocks.slice(height, height + 4) }));
      expect(heights(blocks.slice(0, height + 4))).toEqual(
        expected.filter((at) => at < height + 4),
      );
    }
    // Popped hashes are absent again, and come back with other blocks.
    await store.commit({ popTo: 11 });
    expect(new Set(heights(blocks.slice(11)))).toEqual(new Set([undefined]));
    await store.commit(changeOf({ append: blocks.slice(11) }));
    for (let i = 0; i < 3; i += 1) await store.commit({});
    expect(heights(blocks)).toEqual(expected);
    await store.close();
  });
});
