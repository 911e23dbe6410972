import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';

/** Return codes of LMDB that have their own sentence below. Source: lmdb.h. */
const LMDB_CODES: Readonly<Record<number, string>> = {
  [-30795]: 'MDB_PANIC',
  [-30792]: 'MDB_MAP_FULL',
  [-30790]: 'MDB_READERS_FULL',
  [-30785]: 'MDB_MAP_RESIZED',
};

/** Free bytes below which a write that was cut short is put down to a full disk. */
const ALMOST_FULL = 2 ** 20;

/** A sentence for each code: what happened, and what the user can do. `where` names the file or folder. */
const SENTENCES: Readonly<Record<string, (where: string) => string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: (where) =>
    `${where} has reached the largest file size that is allowed: raise 'ulimit -f', or use a file system that holds larger files`,
  EIO: failing,
  EACCES: denied,
  EPERM: denied,
  EROFS: (where) =>
    `${where} is on a file system that is mounted read-only: mount it for writing, or choose another data directory`,
  EMFILE: (where) =>
    `this process may open no more files, needed for ${where}: raise the limit with 'ulimit -n 4096'`,
  ENFILE: (where) => `the system may open no more files, needed for ${where}: close other programs`,
  ENOMEM: (where) =>
    `there is not enough memory to work with ${where}: free some, or raise 'ulimit -v'`,
  EEXIST: (where) => `${where} is in the way: remove it, or choose another data directory`,
  ENOTDIR: (where) =>
    `${where} lies below something that is no folder: remove that, or choose another data directory`,
  ENOENT: (where) => `${where} is missing: it was removed or renamed while it was in use`,
  MDB_MAP_FULL: (where) =>
    `the database ${where} cannot grow, because this process has used up its address space: raise 'ulimit -v'`,
  MDB_MAP_RESIZED: (where) =>
    `the database ${where} was changed by another program: stop that one and start again`,
  MDB_READERS_FULL: (where) =>
    `too many programs read the database ${where} at once: close some of them`,
  MDB_PANIC: (where) => `the database ${where} failed earlier and must be opened again`,
};

/** Returns the name of a failure of the operating system or of LMDB, such as `ENOSPC`; undefined for any other error. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const { code } = error;
  if (typeof code === 'string') return /^E[A-Z0-9]+$/.test(code) ? code : undefined;
  if (typeof code !== 'number') return undefined;
  if (code < 0) return LMDB_CODES[code];
  return Object.entries(constants.errno).find(([, number]) => number === code)?.[0];
}

/**
 * Returns a sentence about a failure of the operating system or of LMDB: the file or folder, what happened and what to do.
 * An error of any other kind keeps its message.
 * @param path used when the error does not name a file
 */
export function describeSystemError(error: unknown, path: string): string {
  const code = systemCodeOf(error);
  const named =
    typeof error === 'object' && error !== null && 'path' in error ? error.path : undefined;
  const where = typeof named === 'string' ? named : path;
  const sentence = SENTENCES[code ?? ''];
  if (sentence !== undefined) return sentence(where);
  const text = error instanceof Error ? error.message : String(error);
  // Some errors of native code have no text.
  return `${where} cannot be used: ${text.trim() === '' ? (code ?? 'unknown error') : text}`;
}

/**
 * Settles as `work` does. An error of the operating system that names no file gets `path`: those of writing to an open file name
 * none, and whoever reports them would look at another disk.
 */
export async function namingFile<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Both are objects where there is a code.
    const isNameless = systemCodeOf(error) !== undefined && !('path' in (error as object));
    throw isNameless ? Object.assign(error as object, { path }) : error;
  }
}

function full(where: string): string {
  const free = freeBytes(where);
  const known = free === undefined ? '' : ` (${free} bytes free)`;
  return `the disk that holds ${where} is full${known}: free some space and start again`;
}

/** LMDB reports a write that was cut short as EIO, and a full disk cuts writes short. */
function failing(where: string): string {
  return (freeBytes(where) ?? Infinity) < ALMOST_FULL
    ? full(where)
    : `the disk that holds ${where} cannot be read or written (input/output error): check the disk and the log of the system`;
}

function denied(where: string): string {
  return `this user may not read and write ${where}: check its owner and permissions`;
}

/**
 * Returns the bytes that users may still write to the disk of a file or folder, or of what should hold it; undefined when the
 * system does not say.
 */
export function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return dirname(path) === path ? undefined : freeBytes(dirname(path));
  }
}
