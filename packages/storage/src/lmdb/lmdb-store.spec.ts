import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeChainStore } from '../testing/compliance.ts';
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
