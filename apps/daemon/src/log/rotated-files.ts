import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The end that rotation adds to the name of a log: the time, and a number if that name was taken. */
const SUFFIX = /^-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}(?:-\d{3,})?$/;

/** Returns a path for the rotated log that no file has yet: `<path>-<date>`, or with `-001`, `-002`, … after it. */
export function freeRotatedPath(path: string, now: Date): string {
  const wanted = `${path}-${now.toISOString().replace(/[:.]/g, '-').slice(0, -1)}`;
  let free = wanted;
  for (let i = 1; existsSync(free); i++) free = `${wanted}-${String(i).padStart(3, '0')}`;
  return free;
}

/** Removes the oldest rotated files of a log until `keep` are left. Throws the error of the system. */
export function removeOldRotatedFiles(path: string, keep: number): void {
  const name = basename(path);
  const rotated = readdirSync(dirname(path))
    .filter((other) => other.startsWith(name) && SUFFIX.test(other.slice(name.length)))
    .sort();
  for (const old of rotated.slice(0, -keep)) unlinkSync(join(dirname(path), old));
}
