import { lstatSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/** The file named by --pidfile cannot be had; the message says why. */
export class PidFileError extends Error {
  override readonly name = 'PidFileError';
}

/**
 * Writes the id of this process into `path`. A file left by a process that is gone is replaced.
 * Source: posix::fork (src/daemonizer/posix_fork.cpp). Other than there, a file that holds something
 * else is left alone: a mistyped path must not cost anybody his config file.
 *
 * @throws PidFileError when the file names a running process, is none of ours or cannot be written.
 */
export function claimPidFile(path: string, pid = process.pid): void {
  try {
    if (holdsStaleId(path)) unlinkSync(path);
    // 'wx' fails when somebody else was faster, and follows no symbolic link.
    writeFileSync(path, `${pid}\n`, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    throw new PidFileError(`--pidfile ${path}: ${(error as Error).message}`);
  }
}

/** Removes the file, unless it has come to name another process. */
export function removePidFile(path: string, pid = process.pid): void {
  try {
    if (readFileSync(path, 'utf8') === `${pid}\n`) unlinkSync(path);
  } catch {
    // Whoever removed it first, or took our right to, wanted that.
  }
}

/** Whether there is a file, which may be replaced. Throws when it may not. */
function holdsStaleId(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) throw new Error('is a symbolic link');
  if (!stats.isFile()) throw new Error('is not a regular file');
  const content = readFileSync(path, 'utf8').trim();
  if (!/^\d*$/.test(content)) throw new Error('holds something else than a process id');
  const pid = Number(content);
  // Process 1 is the init of a container or of the system, never a daemon that left its file behind.
  if (pid > 1 && isRunning(pid)) throw new Error(`names process ${pid}, which is running`);
  return true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
