import { constants, copyFile, link, rm } from 'node:fs/promises';

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
