import { statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { monotonicMilliseconds } from '@monero-node/base';

/** Milliseconds for which a measured free space is reused. */
const FREE_SPACE_AGE = 1000;

/**
 * Returns a function for the free bytes of a folder's disk, or of the memory when there is no folder. It asks the system at
 * most once a second, because clients call `get_info` far more often, and not again while a disk that hangs has not answered.
 */
export function freeSpaceOf(folder: string | undefined): () => Promise<number> {
  if (folder === undefined) return () => Promise.resolve(freemem());
  let known: { bytes: Promise<number>; at: number } | undefined;
  let isAsking = false;
  const ask = async (): Promise<number> => {
    isAsking = true;
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } finally {
      isAsking = false;
    }
  };
  return () => {
    const now = monotonicMilliseconds();
    if (known === undefined || (!isAsking && now - known.at > FREE_SPACE_AGE))
      known = { bytes: ask(), at: now };
    return known.bytes;
  };
}
