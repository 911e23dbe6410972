import { statfs } from 'node:fs/promises';

/** Returns the free bytes of a folder's disk; undefined when there is no such folder or the system does not say. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
