import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './option-types.ts';
import type { GivenLogin } from './given-login.ts';

/** Largest size of the file in bytes. */
const LARGEST = 4096;
/** Permissions of other users to read and to write, and of the group to write. */
const OPEN_TO_OTHERS = 0o026;

/**
 * Reads the file of --rpc-login-file, which holds one line, `user:password`. The group may read it, because systemd shows
 * the permission of the user of a service as one of the group.
 *
 * Throws UsageError when the file cannot be read, is open to other users, or holds anything else.
 */
export function readLoginFile(path: string): GivenLogin {
  const refuse = (why: string): never => {
    throw new UsageError(`--rpc-login-file ${path}: ${why}`);
  };
  const content = contentOf(resolve(path), refuse);
  const line = content.replace(/\r?\n$/, '');
  if (line.trim() === '') refuse('is empty; it must hold one line, USER:PASSWORD');
  const colon = line.indexOf(':');
  if (colon < 1 || /[\r\n]/.test(line)) refuse('must hold one line, USER:PASSWORD');
  if (colon === line.length - 1) refuse('has no password after the colon');
  return { username: line.slice(0, colon), password: line.slice(colon + 1) };
}

function contentOf(path: string, refuse: (why: string) => never): string {
  let file: number | undefined;
  try {
    // Without waiting for a writer, if it is a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const wrong = faultOf(fstatSync(file));
    if (wrong !== undefined) return refuse(wrong);
    const bytes = Buffer.alloc(LARGEST + 1);
    const length = readSync(file, bytes);
    if (length > LARGEST) return refuse(`is longer than ${LARGEST} bytes`);
    return bytes.toString('utf8', 0, length);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return refuse((error as Error).message);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Returns why a file may not hold a login; undefined when it may. */
function faultOf(stats: Stats, platform = process.platform): string | undefined {
  if (stats.isDirectory()) return 'is a directory';
  if (!stats.isFile()) return 'is not a regular file';
  // Windows has no such permissions.
  if (platform === 'win32' || (stats.mode & OPEN_TO_OTHERS) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8);
  return `other users can read or change it (mode ${mode}); run chmod 600 on it`;
}
