import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { damaged } from '../lmdb/errors.ts';
import { openLmdbStore } from '../lmdb/open.ts';
import type { ChainTop } from '../lmdb/files/snapshot.ts';

/**
 * Opens the copy of a store, which checks its newest blocks, and compares its top. Leaves nothing but the data file.
 *
 * Throws StorageError `damaged` when it differs, and what opening throws.
 */
export async function checkCopy(folder: string, { height, topId }: ChainTop): Promise<void> {
  const store = await openLmdbStore({ path: folder, readOnly: true });
  try {
    const copiedId = height > 0 ? store.blockMeta(height - 1)?.id : undefined;
    if (store.height !== height || Buffer.compare(copiedId ?? NONE, topId ?? NONE) !== 0)
      throw damaged(`the copy in ${folder} has ${store.height} blocks instead of ${height}`);
  } finally {
    await store.close();
    rmSync(join(folder, 'lock.mdb'), { force: true });
  }
}

const NONE = new Uint8Array();
