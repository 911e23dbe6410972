import { lstatSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/** The PID file cannot be written; the message says why. */
export class PidFileError extends Error {
  override readonly name = 'PidFileError';
}

/**
 * Writes the id of this process to `path`, replacing a file left by a process that has ended.
 * Source: posix::fork in src/daemonizer/posix_fork.cpp. Unlike there, a file with other content is kept, so that
 * a mistyped path does not destroy a config file.
 *
 * Throws PidFileError when the file names a running process, has other content or cannot be written.
 */
export function claimPidFile(path: string, pid = process.pid): void {
  try {
    if (holdsStaleId(path)) unlinkSync(path);
    // 'wx' fails if another process was faster, and does not follow symbolic links.
    writeFileSync(path, `${pid}\n`, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    throw new PidFileError(`--pidfile ${path}: ${(error as Error).message}`);
  }
}

/** Removes the file, unless it names another process by now. */
export function removePidFile(path: string, pid = process.pid): void {
  try {
    if (readFileSync(path, 'utf8') === `${pid}\n`) unlinkSync(path);
  } catch {
    // Already removed, or no longer ours to remove.
  }
}

/** Returns whether there is a file that may be replaced. Throws Error when there is one that may not. */
function holdsStaleId(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) throw new Error('is a symbolic link');
  if (!stats.isFile()) throw new Error('is not a regular file');
  const content = readFileSync(path, 'utf8').trim();
  if (!/^\d*$/.test(content)) throw new Error('holds something other than a process id');
  const pid = Number(content);
  // Process 1 is the init of the system or container, never a daemon that left its file behind.
  if (pid > 1 && isRunning(pid)) throw new Error(`names process ${pid}, which is running`);
  return true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
