import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm, stat, statfs, constants, copyFile, link } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NewerVersion } from '@monero-node/rpc';
import { httpGet, type GetLimits, type GetOptions } from './http-get.ts';
import { UpdateError } from './update-error.ts';

const MIB = 1024 ** 2;

/** Below the 180 s for which the console waits for an answer. */
const ARCHIVE_LIMITS: GetLimits = {
  maxBytes: 32 * MIB,
  totalMs: 150_000,
  idleMs: 30_000,
};

/** Bytes that must be left on the disk, because the chain needs them more. */
const SPARE_BYTES = 1024 * MIB;

export interface DownloadOptions extends GetOptions {
  /** Whether another file at the path is replaced. */
  readonly replace: boolean;
  readonly limits?: GetLimits | undefined;
}

/**
 * Returns whether the file at `path` has the SHA-512 `hash`, hex; undefined when there is none. A file longer than an
 * archive, or a device, is not read: it might have no end.
 */
async function hasHash(path: string, hash: string, maxBytes: number): Promise<boolean | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > maxBytes) return false;
  const hasher = createHash('sha512');
  const file = await open(path);
  try {
    for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>)
      hasher.update(chunk);
  } finally {
    await file.close();
  }
  return hasher.digest('hex') === hash;
}

async function checkSpace(folder: string, maxBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < SPARE_BYTES + maxBytes) {
    throw new UpdateError(`the disk of ${folder} has only ${Math.floor(free / MIB)} MiB free`);
  }
}

/** Writes an archive to a file that must not exist. Throws UpdateError when its hash is wrong. */
async function fetchInto(
  path: string,
  { uri, hash }: NewerVersion,
  { limits, ...options }: GetOptions & { limits: GetLimits },
): Promise<void> {
  const hasher = createHash('sha512');
  const file = await open(path, 'wx');
  try {
    for await (const chunk of httpGet(new URL(uri), limits, options)) {
      hasher.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (hasher.digest('hex') !== hash) {
    throw new UpdateError(`${uri} does not have the hash that the registry names; it was removed`);
  }
}

/**
 * Downloads the archive of a version to `path`, whose folder exists, unless it is already there; returns whether it was not. The bytes go to a file
 * beside it, which gets its name only when their SHA-512 is right and is removed otherwise.
 *
 * Throws UpdateError when the download fails, its hash is wrong, the disk is nearly full, or another file is at `path` and
 * is not to be replaced; an error of node:fs when the folder cannot be used; and the reason of the signal when that aborts.
 */
export async function downloadArchive(
  newer: NewerVersion,
  path: string,
  { replace, limits = ARCHIVE_LIMITS, ...options }: DownloadOptions,
): Promise<boolean> {
  const existing = await hasHash(path, newer.hash, limits.maxBytes);
  if (existing === true) return false;
  if (existing === false && !replace) throw new UpdateError(`${path} is another file`);
  await checkSpace(dirname(path), limits.maxBytes);
  const part = `${path}.${randomBytes(8).toString('hex')}.part`;
  try {
    await fetchInto(part, newer, { limits, ...options });
    await (replace ? rename(part, path) : nameWithoutReplacing(part, path));
  } finally {
    await rm(part, { force: true });
  }
  return true;
}

/** Errors of file systems without links, such as FAT. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
]);

/**
 * Puts a complete file at `path` too, unless another file is there. Unlike a rename, a link never replaces a file; without
 * links the file is copied.
 *
 * Throws an error of node:fs: EEXIST when there is another file. After any other error nothing is at `path`.
 *
 * @param makeLink replaced in tests
 */
export async function nameWithoutReplacing(
  file: string,
  path: string,
  makeLink = link,
): Promise<void> {
  try {
    await makeLink(file, path);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw error;
    await copyWithoutReplacing(file, path);
  }
}

async function copyWithoutReplacing(file: string, path: string): Promise<void> {
  try {
    await copyFile(file, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
}
