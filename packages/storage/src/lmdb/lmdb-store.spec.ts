import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeChainStore } from '../testing/compliance.ts';
import { numberedBlock } from '../testing/numbered-chain.ts';
import { rawDump } from '../testing/raw-dump.ts';
import { openLmdbStore } from './open.ts';

describeChainStore('lmdb', async () => {
  const path = mkdtempSync(join(tmpdir(), 'storage-'));
  const store = await openLmdbStore({ path });
  return {
    store,
    rawDump: () => rawDump(path),
    async dispose() {
      await store.close();
      rmSync(path, { recursive: true });
    },
  };
});

test.each([1, 2, 3])(
  'a store of %i blocks is found whole when it is opened again',
  async (height) => {
    const path = mkdtempSync(join(tmpdir(), 'storage-'));
    const blocks = Array.from({ length: height + 1 }, (_, i) => numberedBlock(i));
    const store = await openLmdbStore({ path });
    await store.commit({ append: blocks.slice(0, height) });
    await store.close();

    const reader = await openLmdbStore({ path, readOnly: true });
    expect(reader.height).toBe(height);
    await reader.close();

    const again = await openLmdbStore({ path });
    expect(again.height).toBe(height);
    await again.commit({ append: blocks.slice(height) });
    expect(again.height).toBe(height + 1);
    await again.close();
    rmSync(path, { recursive: true });
  },
);
