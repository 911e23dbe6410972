import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from './system-error.ts';

/**
 * Makes a folder and those above it where they are missing. `mkdirSync` with `recursive` never returns below /proc and
 * other file systems in which nothing can be made.
 *
 * Throws the error of the system, for example EACCES, or ENOTDIR where a file is in the way.
 * @param mode permissions of new folders, before the umask
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  try {
    makeOne(path, mode);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path), mode);
    makeOne(path, mode);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Another process may make the folder at the same time. */
function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST' || !isFolder(path)) throw error;
  }
}
