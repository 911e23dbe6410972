import { readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The end that rotation adds to the name of a log: the time, and a number if that name was taken. */
const SUFFIX = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}(?:-\d{3,})?$/;

/**
 * Returns a path for the rotated log that no file has yet: `<path>-<date>`, or with `-001`, `-002`, … after it. It sorts
 * after the names of all logs that were rotated before. Rejects with the error of the system.
 */
export async function freeRotatedPath(path: string, now: Date): Promise<string> {
  const wanted = `${path}-${now.toISOString().replace(/[:.]/g, '-').slice(0, -1)}`;
  const names = await readdir(dirname(path));
  const taken = names.filter((name) => name.startsWith(basename(wanted)));
  const numbers = taken.map((name) => Number(name.slice(basename(wanted).length + 1)) || 0);
  if (numbers.length === 0) return wanted;
  return `${wanted}-${String(Math.max(...numbers) + 1).padStart(3, '0')}`;
}

/** Removes the oldest rotated files of a log until `keep` are left. Rejects with the error of the system. */
export async function removeOldRotatedFiles(path: string, keep: number): Promise<void> {
  const name = basename(path);
  const names = await readdir(dirname(path));
  const rotated = names
    .filter((other) => other.startsWith(name) && SUFFIX.test(other.slice(name.length)))
    .sort();
  for (const old of rotated.slice(0, -keep)) await unlink(join(dirname(path), old));
}
