import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LOCK_FILE = 'lock.mdb';

/**
 * Returns the id of a process that has an LMDB database open, by the path of its data file. LMDB holds a lock on
 * `lock.mdb` for as long as it has a database open, and the kernel drops the lock when the process ends, however it ends.
 *
 * Locks are listed by Linux only, and only those of the processes that this one may see. Where a program stays hidden, such
 * as in another container, undefined is returned.
 */
export function holderOfLock(dataFile: string): number | undefined {
  const lockFile = join(dirname(dataFile), LOCK_FILE);
  const file = statSync(lockFile, { throwIfNoEntry: false });
  if (file === undefined) return undefined;
  const pids = [...holdersOf(String(file.ino), read('/proc/locks'))];
  // Another file system may have a file of the same number.
  return pids.find((pid) => hasOpen(pid, file) !== false);
}

/**
 * Reads lines like `1: POSIX  ADVISORY  READ 4711 08:01:131099 0 0`. The device is not compared: some file systems
 * report another one here.
 */
function* holdersOf(inode: string, locks: string): Iterable<number> {
  for (const line of locks.split('\n')) {
    const [, kind, , , pid, place] = line.trim().split(/\s+/);
    if (kind === 'POSIX' && place?.split(':').at(-1) === inode) yield Number(pid);
  }
}

/** Whether a process has a file open; undefined when that cannot be seen. */
function hasOpen(pid: number, file: { dev: number; ino: number }): boolean | undefined {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => {
      const open = statSync(join(folder, name), { throwIfNoEntry: false });
      return open?.ino === file.ino && open.dev === file.dev;
    });
  } catch {
    return undefined;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
