import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { TableStore } from './stores.ts';

/** Returns a store in a file, for Node. The file is replaced as a whole, and only its owner can read it. */
export function fileStore(path: string): TableStore {
  return {
    load: async () => {
      try {
        return new Uint8Array(await readFile(path));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    save: async (table) => {
      const written = `${path}.${randomUUID()}`;
      try {
        await writeFile(written, table, { mode: 0o600, flush: true });
        await rename(written, path);
      } catch (error) {
        await rm(written, { force: true });
        throw error;
      }
    },
  };
}
