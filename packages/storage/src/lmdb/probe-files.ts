import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that LMDB may write while it opens an environment: two header pages and the table of readers. */
const WRITTEN_AT_OPENING = 64 * 1024;

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
  const lock = join(directory, 'lock.mdb');
  const open: number[] = [];
  try {
    // LMDB opens the data file once more for the header; one descriptor is to spare.
    const flags = readOnly ? 'r' : 'a+';
    for (const path of [lock, data, data, data])
      open.push(openSync(path, path === lock ? 'a+' : flags));
    if (!readOnly) tryToWrite(join(directory, 'probe'));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

function tryToWrite(path: string): void {
  try {
    writeFileSync(path, new Uint8Array(WRITTEN_AT_OPENING));
  } finally {
    rmSync(path, { force: true });
  }
}
