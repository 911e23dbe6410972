import { closeSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../errors.ts';

/** Bytes that LMDB may write while it opens an environment: two header pages and the table of readers. */
const WRITTEN_AT_OPENING = 64 * 1024;

/**
 * Folders whose environment is open, by their real paths; one entry for each time. They belong to the process, not to
 * a store, because file locks do.
 */
const openFolders = new Set<{ readonly path: string }>();

/** Records that LMDB has opened the files of a folder. Returns what to call once it has closed them. */
export function markOpen(directory: string): () => void {
  const folder = { path: realpathSync(directory) };
  openFolders.add(folder);
  return () => void openFolders.delete(folder);
}

/**
 * Opens the files of an environment as LMDB is about to, all at once, and closes them again; a writer also checks that
 * the disk still takes some bytes.
 *
 * The lmdb package (3.5.6) frees memory twice when LMDB cannot open its files, which ends the process. Missing
 * permission, a full disk and too few descriptors therefore have to be found before.
 *
 * Throws the error of the system.
 */
export function probeFiles(directory: string, dataFile: string, readOnly: boolean): void {
  const data = join(directory, dataFile);
  const flags = readOnly ? 'r' : 'a+';
  const open: number[] = [];
  try {
    // Closing a file releases all locks that the process has on it, those of an open environment too.
    if (isOpen(directory)) open.push(openSync(data, flags));
    else open.push(...openLockFile(join(directory, 'lock.mdb'), readOnly));
    // LMDB opens the data file once more for the header; one descriptor is to spare.
    for (let count = 0; count < 3; count++) open.push(openSync(data, flags));
    if (!readOnly) tryToWrite(join(directory, 'probe'));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

function isOpen(directory: string): boolean {
  const path = realpathSync(directory);
  return [...openFolders].some((folder) => folder.path === path);
}

/** Returns the descriptor; none for a reader of a read-only file system, where LMDB does without the file. */
function openLockFile(path: string, readOnly: boolean): number[] {
  try {
    return [openSync(path, 'a+')];
  } catch (error) {
    if (readOnly && errorCode(error) === 'EROFS') return [];
    throw error;
  }
}

function tryToWrite(path: string): void {
  try {
    writeFileSync(path, new Uint8Array(WRITTEN_AT_OPENING));
  } finally {
    rmSync(path, { force: true });
  }
}
